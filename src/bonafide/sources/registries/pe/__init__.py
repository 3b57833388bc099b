"""Prince Edward Island's business registry: asked live through the gateway of its own pages."""
