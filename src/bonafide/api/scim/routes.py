"""All routers of SCIM. The endpoints are not in the OpenAPI description: `/scim/v2/Schemas` describes them."""

from fastapi import APIRouter

from bonafide.api.scim import discovery, groups, users

ROUTERS: tuple[APIRouter, ...] = (discovery.router, users.router, groups.router)
