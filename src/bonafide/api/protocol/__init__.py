"""HTTP mechanics of the API: middleware, authentication, bodies, query strings, idempotency, errors."""
