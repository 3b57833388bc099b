"""The HTTP API: it parses, authorises, calls one service and renders, and knows nothing of the business itself.

Middleware (outermost first) names the request, writes its log line, renders what went wrong, answers HEAD, and counts it
against a rate limit; then one short endpoint for each verb. No body type is defined here: requests and answers are `model`'s.
"""
