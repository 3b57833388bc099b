"""Members: made by the operator, given roles, removed; an owner always stays, and all of it stands in the trail."""

import asyncio
from uuid import uuid4

import pytest

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, one_time_links, sessions
from bonafide.services.records import audit_check
from tests.support.services.accounts import (
    ANN,
    BEN,
    CAT,
    OPERATOR,
    OTHER_PASSWORD,
    PASSWORD,
    is_correct_password,
    known,
    organization_of,
    session_of,
    trail_of,
)

pytestmark = pytest.mark.anyio
OWNER = Author(ANN, "request-17")


async def roles(runtime: Runtime, organization: str = "north", world: World = World.LIVE) -> dict[str, Role]:
    found = await members.list_members(runtime, (await organization_of(runtime, organization, world)).id)
    return {member.user.email: member.role for member in found}


def as_member(email: str, role: Role) -> dict[str, str]:
    return {"email": email, "role": role.value}


# ------------------------------------------------------------------------------------------------------------ operation


async def test_a_new_user_belongs_to_both_worlds_of_the_organization(installation: Runtime) -> None:
    made = await known(installation, "Ann@North.example")
    assert made.user.email == ANN
    assert [(mine.organization, mine.world, mine.role) for mine in made.memberships] == [
        ("north", World.LIVE, Role.OWNER),
        ("north", World.SANDBOX, Role.OWNER),
    ]
    assert made.has_password
    assert made.disabled_at is None


async def test_a_user_of_the_sandbox_belongs_to_that_alone(installation: Runtime) -> None:
    made = await known(installation, world=World.SANDBOX)
    assert [mine.world for mine in made.memberships] == [World.SANDBOX]


async def test_one_person_belongs_to_several_organizations(installation: Runtime) -> None:
    await known(installation)
    made = await known(installation, organization="south", role=Role.VIEWER, world=World.SANDBOX, password=None)
    assert [(mine.organization, mine.role) for mine in made.memberships] == [
        ("north", Role.OWNER),
        ("north", Role.OWNER),
        ("south", Role.VIEWER),
    ]
    assert await is_correct_password(installation, ANN, PASSWORD)


async def test_nobody_is_made_a_member_twice(installation: Runtime) -> None:
    await known(installation)
    with pytest.raises(Conflict, match="is already a member of this organization"):
        await known(installation, role=Role.VIEWER, password=None)
    assert await roles(installation) == {ANN: Role.OWNER}


async def test_who_has_a_password_gets_no_other_by_joining_elsewhere(installation: Runtime) -> None:
    await known(installation)
    with pytest.raises(Conflict, match="already has a password"):
        await known(installation, organization="south", password=OTHER_PASSWORD)
    # Nothing of it was done.
    assert {mine.organization for mine in (await members.find_user(installation, ANN)).memberships} == {"north"}


async def test_a_bad_password_makes_nobody(installation: Runtime) -> None:
    with pytest.raises(ValidationFailed):
        await known(installation, password="short")
    with pytest.raises(NotFound):
        await members.find_user(installation, ANN)


async def test_the_operator_sees_all_or_those_of_one_organization(installation: Runtime) -> None:
    await known(installation, CAT, organization="south")
    await known(installation, ANN, password=None)
    assert [(seen.user.email, seen.has_password) for seen in await members.list_users(installation)] == [(ANN, False), (CAT, True)]
    assert [seen.user.email for seen in await members.list_users(installation, "south")] == [CAT]
    assert await members.list_users(installation, "west") == []


# -------------------------------------------------------------------------------------------------------------- members


async def test_a_role_changes_in_both_worlds(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    await members.change_role(installation, (await organization_of(installation)).id, ben.user.id, Role.ANALYST, OWNER)
    for world in World:
        assert await roles(installation, world=world) == {ANN: Role.OWNER, BEN: Role.ANALYST}


async def test_a_member_who_is_removed_is_gone_from_both_worlds(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    await members.remove_member(installation, (await organization_of(installation)).id, ben.user.id, OWNER)
    for world in World:
        assert await roles(installation, world=world) == {ANN: Role.OWNER}
    assert (await members.find_user(installation, BEN)).memberships == ()


async def test_the_last_owner_stays_what_they_are(installation: Runtime) -> None:
    ann = await known(installation)
    await known(installation, BEN, role=Role.ANALYST)
    north = (await organization_of(installation)).id
    with pytest.raises(Conflict, match="needs an owner"):
        await members.remove_member(installation, north, ann.user.id, OWNER)
    for role in (Role.ANALYST, Role.VIEWER):
        with pytest.raises(Conflict, match="needs an owner"):
            await members.change_role(installation, north, ann.user.id, role, OWNER)
    with pytest.raises(Conflict, match="needs an owner"):
        await members.disable_user(installation, ANN, OPERATOR)
    for world in World:
        assert await roles(installation, world=world) == {ANN: Role.OWNER, BEN: Role.ANALYST}
    await members.change_role(installation, north, ann.user.id, Role.OWNER, OWNER)


async def test_an_owner_who_can_not_sign_in_does_not_count(installation: Runtime) -> None:
    ann = await known(installation)
    await known(installation, BEN)
    await members.disable_user(installation, BEN, OPERATOR)
    with pytest.raises(Conflict, match="needs an owner"):
        await members.remove_member(installation, (await organization_of(installation)).id, ann.user.id, OWNER)


async def test_of_two_owners_who_leave_at_once_one_stays(installation: Runtime) -> None:
    ann, ben = await known(installation), await known(installation, BEN)
    north = (await organization_of(installation)).id
    ends = await asyncio.gather(
        *(members.remove_member(installation, north, each.user.id, OPERATOR) for each in (ann, ben)), return_exceptions=True
    )
    assert [type(end) for end in ends if end is not None] == [Conflict]
    assert len(await roles(installation)) == 1


async def test_another_organization_s_members_are_out_of_reach(installation: Runtime) -> None:
    await known(installation)
    cat = await known(installation, CAT, organization="south")
    north = (await organization_of(installation)).id
    for user_id in (cat.user.id, uuid4()):
        with pytest.raises(NotFound):
            await members.change_role(installation, north, user_id, Role.VIEWER, OWNER)
        with pytest.raises(NotFound):
            await members.remove_member(installation, north, user_id, OWNER)
    with pytest.raises(NotFound):
        await members.change_role(installation, uuid4(), cat.user.id, Role.VIEWER, OWNER)
    assert await roles(installation, "south") == {CAT: Role.OWNER}
    assert CAT not in await roles(installation)


async def test_the_operator_changes_a_role_by_the_organization_s_name(installation: Runtime) -> None:
    await known(installation)
    await known(installation, BEN, role=Role.VIEWER)
    seen = await members.set_role_in_organization(installation, "Ben@north.example", Role.ANALYST, "north", OPERATOR)
    assert {mine.role for mine in seen.memberships} == {Role.ANALYST}
    with pytest.raises(NotFound, match="is not a member of an organization named south"):
        await members.set_role_in_organization(installation, BEN, Role.ANALYST, "south", OPERATOR)


async def test_members_are_seen_with_when_they_were_here_last(installation: Runtime) -> None:
    ann = await known(installation)
    await known(installation, BEN, role=Role.VIEWER)
    await session_of(installation, ann)
    found = await members.list_members(installation, (await organization_of(installation)).id)
    assert [(member.user.email, member.last_seen_at is not None) for member in found] == [(ANN, True), (BEN, False)]


# ------------------------------------------------------------------------------------------------------------ the trail


async def test_every_change_of_a_membership_stands_in_the_trail_of_each_world(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    north = await organization_of(installation)
    await members.change_role(installation, north.id, ben.user.id, Role.ANALYST, OWNER)
    await members.change_role(installation, north.id, ben.user.id, Role.ANALYST, OWNER)
    await members.disable_user(installation, BEN, OPERATOR)
    await members.disable_user(installation, BEN, OPERATOR)
    await members.enable_user(installation, BEN, OPERATOR)
    await members.enable_user(installation, BEN, OPERATOR)
    await members.remove_member(installation, north.id, ben.user.id, OWNER)
    expected = [
        ("cli:test", "member", None, as_member(ANN, Role.OWNER)),
        ("cli:test", "member", None, as_member(BEN, Role.VIEWER)),
        (ANN, "member", as_member(BEN, Role.VIEWER), as_member(BEN, Role.ANALYST)),
        ("cli:test", "access", {"email": BEN, "state": "enabled"}, {"email": BEN, "state": "disabled"}),
        ("cli:test", "access", {"email": BEN, "state": "disabled"}, {"email": BEN, "state": "enabled"}),
        (ANN, "member", as_member(BEN, Role.ANALYST), None),
    ]
    for world in World:
        organization = await organization_of(installation, world=world)
        assert await trail_of(installation, organization.id) == expected
        assert (await audit_check.verify_audit_log(installation, organization.id)).is_whole


async def test_what_is_refused_leaves_no_trace(installation: Runtime) -> None:
    ann = await known(installation)
    north = (await organization_of(installation)).id
    before = await trail_of(installation, north)
    with pytest.raises(Conflict):
        await members.remove_member(installation, north, ann.user.id, OWNER)
    with pytest.raises(Conflict):
        await members.disable_user(installation, ANN, OPERATOR)
    assert await trail_of(installation, north) == before


# ------------------------------------------------------------------------------------------------------------- disabled


async def test_a_disabled_user_keeps_memberships_and_loses_the_rest(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    signed_in = await session_of(installation, ben)
    link = await one_time_links.create_password_link(installation, BEN, OPERATOR)
    seen = await members.disable_user(installation, BEN, OPERATOR)
    assert seen.disabled_at is not None
    assert len(seen.memberships) == 2
    assert await sessions.list_sessions(installation, signed_in) == []
    with pytest.raises(NotFound):
        await one_time_links.open_link(installation, link.partition("token=")[2])
    assert (await members.enable_user(installation, BEN, OPERATOR)).disabled_at is None


@pytest.mark.parametrize("verb", [members.disable_user, members.enable_user])
async def test_who_is_not_known_is_said_to_be_so(installation: Runtime, verb: object) -> None:
    assert callable(verb)
    with pytest.raises(NotFound, match="no user with this email"):
        await verb(installation, "nobody@north.example", OPERATOR)
