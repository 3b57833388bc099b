"""Guessing is made slow: pauses that double, counted before it is known how an attempt ends, by e-mail, by client and by both."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bonafide.errors import SignInPaused, SignInRefused
from bonafide.runtime import Runtime
from bonafide.services.accounts import sign_in as sign_in_service
from bonafide.services.accounts.known_devices import LIFETIME, MAX_ACCOUNTS, add_device, find_device
from bonafide.services.accounts.sign_in import (
    FREE_BY_CLIENT,
    FREE_BY_EMAIL,
    FREE_BY_PAIR,
    FREE_SIGN_ONS,
    LoginClient,
    compute_pause,
    sign_in,
)
from bonafide.store.people import sign_ins
from tests.support.services.accounts import ANN, BEN, PASSWORD, VISITOR, claim, known
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
WRONG = "seventeen loud otters"


async def guess(
    runtime: Runtime, email: str = ANN, client: str = VISITOR.client, password: str = WRONG, devices: str | None = None
) -> str:
    """How an attempt ends."""
    try:
        await sign_in(runtime, claim(email, password), LoginClient(client, devices=devices))
    except SignInPaused as pause:
        return f"paused for {pause.wait_s} s"
    except SignInRefused:
        return "refused"
    return "signed in"


def test_pauses_double_up_to_a_quarter_of_an_hour() -> None:
    waits = [compute_pause(failures, FREE_BY_PAIR).total_seconds() for failures in range(1, 14)]
    assert waits == [0, 0, 0, 0, 15, 30, 60, 120, 240, 480, 900, 900, 900]
    assert compute_pause(10**9, FREE_BY_PAIR) == timedelta(minutes=15)


async def test_after_five_failures_nothing_is_tried_for_a_while(installation: Runtime, clock: ManualClock) -> None:
    await known(installation)
    assert [await guess(installation) for _ in range(FREE_BY_PAIR)] == ["refused"] * FREE_BY_PAIR
    assert await guess(installation) == "paused for 15 s"
    clock.advance(seconds=14)
    assert await guess(installation) == "paused for 1 s"
    clock.advance(seconds=1)
    assert await guess(installation) == "refused"
    assert await guess(installation) == "paused for 30 s"


async def test_during_a_pause_the_right_password_is_refused_like_any_other(installation: Runtime, clock: ManualClock) -> None:
    await known(installation)
    for _ in range(FREE_BY_PAIR):
        await guess(installation)
    assert await guess(installation, password=PASSWORD) == "paused for 15 s"
    clock.advance(seconds=15)
    assert await guess(installation, password=PASSWORD) == "signed in"
    assert await guess(installation) == "refused"


async def test_who_is_known_and_who_is_not_are_paused_alike(installation: Runtime) -> None:
    await known(installation, ANN)
    ends = {
        email: [await guess(installation, email, email) for _ in range(FREE_BY_PAIR + 2)] for email in (ANN, "nobody@a.example")
    }
    assert ends[ANN] == ends["nobody@a.example"]


async def test_however_an_address_is_spelt_it_counts_as_one(installation: Runtime) -> None:
    await known(installation)
    spellings = ["Ann@north.example", " ann@NORTH.example ", "ANN@NORTH.EXAMPLE", "ann@north.example", "aNN@north.example"]
    for spelling in spellings:
        assert await guess(installation, spelling) == "refused"
    assert await guess(installation) == "paused for 15 s"


async def test_a_client_that_tries_many_addresses_is_paused_and_others_are_not(installation: Runtime) -> None:
    await known(installation)
    ends = [await guess(installation, f"user{number}@a.example", "198.51.100.9") for number in range(FREE_BY_CLIENT + 1)]
    assert ends == ["refused"] * FREE_BY_CLIENT + ["paused for 15 s"]
    assert await guess(installation, ANN, "198.51.100.9", PASSWORD) == "paused for 15 s"
    assert await guess(installation, ANN, "192.0.2.7", PASSWORD) == "signed in"


async def test_who_fails_on_purpose_pauses_nobody_elsewhere(installation: Runtime) -> None:
    await known(installation)
    assert [await guess(installation, client="198.51.100.9") for _ in range(FREE_BY_PAIR + 1)][-1] == "paused for 15 s"
    assert await guess(installation, password=PASSWORD) == "signed in"
    assert await guess(installation, client="198.51.100.9") == "paused for 15 s"


async def fail_everywhere(runtime: Runtime) -> None:
    """As many failures from different clients as an account may have without a pause."""
    ends = [await guess(runtime, client=f"198.51.100.{number}") for number in range(FREE_BY_EMAIL)]
    assert ends == ["refused"] * FREE_BY_EMAIL


async def test_guesses_from_many_clients_are_paused_together(installation: Runtime, clock: ManualClock) -> None:
    await known(installation)
    await fail_everywhere(installation)
    assert await guess(installation, client="203.0.113.1") == "paused for 15 s"
    assert await guess(installation, client="203.0.113.2", password=PASSWORD) == "paused for 15 s"
    clock.advance(seconds=15)
    assert await guess(installation, client="203.0.113.1") == "refused"
    assert await guess(installation, client="203.0.113.2") == "paused for 30 s"
    # Others are not affected.
    await known(installation, BEN)
    assert await guess(installation, BEN, "203.0.113.1", PASSWORD) == "signed in"


@pytest.mark.slow
async def test_one_client_alone_never_pauses_the_account(installation: Runtime, clock: ManualClock) -> None:
    await known(installation)
    for _ in range(FREE_BY_EMAIL + 1):
        await guess(installation, client="198.51.100.9")
        clock.advance(minutes=15)
    assert await guess(installation, client="198.51.100.9") == "refused"
    assert await guess(installation, client="203.0.113.1") == "refused"
    assert await guess(installation, client="203.0.113.1", password=PASSWORD) == "signed in"


@pytest.mark.slow
async def test_a_known_device_with_the_right_password_passes_the_pause_of_the_account(installation: Runtime) -> None:
    await known(installation)
    devices = add_device(installation, ANN, None)
    await fail_everywhere(installation)
    for _ in range(3):
        assert await guess(installation, password=PASSWORD, devices=devices) == "signed in"
    # A colleague at the same address has caused another pause.
    for number in range(FREE_BY_CLIENT):
        await guess(installation, f"user{number}@a.example")
    assert await guess(installation, password=PASSWORD, devices=devices) == "signed in"
    assert await guess(installation, password=PASSWORD) == "paused for 15 s"


async def test_a_known_device_that_guesses_is_paused_by_itself(installation: Runtime) -> None:
    await known(installation)
    devices = add_device(installation, ANN, None)
    guesses = [await guess(installation, client=f"client {number}", devices=devices) for number in range(FREE_BY_PAIR + 1)]
    assert guesses == ["refused"] * FREE_BY_PAIR + ["paused for 15 s"]
    assert await guess(installation, password=PASSWORD, devices=devices) == "paused for 15 s"
    assert await guess(installation, password=PASSWORD) == "signed in"


async def test_only_a_valid_token_of_the_account_is_a_known_device(installation: Runtime, clock: ManualClock) -> None:
    devices = add_device(installation, ANN, None)
    device = find_device(installation, " ANN@north.example", devices)
    assert device is not None
    forged = ("B" if devices[0] != "B" else "C") + devices[1:]
    for other in (None, "", forged, devices[:-1], devices + "A", "é" * len(devices), ".".join(["x"] * 10_000)):
        assert find_device(installation, ANN, other) is None
    assert find_device(installation, BEN, devices) is None
    assert find_device(replace(installation, signing_key=b"another"), ANN, devices) is None
    clock.advance(seconds=LIFETIME.total_seconds() - 1)
    assert find_device(installation, ANN, devices) == device
    renewed = add_device(installation, ANN, devices)
    clock.advance(seconds=2)
    assert find_device(installation, ANN, devices) is None
    assert find_device(installation, ANN, renewed) == device


async def test_a_browser_is_known_for_several_accounts(installation: Runtime) -> None:
    emails = [f"user{number}@a.example" for number in range(MAX_ACCOUNTS + 1)]
    devices = None
    for email in emails:
        devices = add_device(installation, email, devices)
    assert [find_device(installation, email, devices) is not None for email in emails] == [False] + [True] * MAX_ACCOUNTS


async def test_somebody_who_signs_in_in_between_does_not_make_the_client_good(installation: Runtime) -> None:
    await known(installation)
    for number in range(FREE_BY_CLIENT - 1):
        await guess(installation, f"user{number}@a.example")
        assert await guess(installation, ANN, password=PASSWORD) == "signed in"
    assert await guess(installation, BEN) == "refused"
    assert await guess(installation, BEN) == "paused for 15 s"


async def test_of_many_guesses_at_once_no_more_are_tried_than_one_after_the_other(installation: Runtime) -> None:
    await known(installation)
    ends = await asyncio.gather(*(guess(installation) for _ in range(12)))
    assert ends.count("refused") == FREE_BY_PAIR
    assert ends.count("paused for 15 s") == 12 - FREE_BY_PAIR


async def test_failures_of_yesterday_are_forgotten(installation: Runtime, clock: ManualClock) -> None:
    await known(installation)
    for _ in range(FREE_BY_PAIR):
        await guess(installation)
    clock.advance(hours=24)
    assert [await guess(installation) for _ in range(FREE_BY_PAIR)] == ["refused"] * FREE_BY_PAIR


async def test_sweeping_forgets_them_too(installation: Runtime, clock: ManualClock) -> None:
    await guess(installation)
    clock.advance(hours=24, seconds=1)
    async with installation.store.write() as connection:
        await sign_in_service.purge_expired_sign_ins(connection, clock.now)
        assert await sign_ins.purge_attempts(connection, clock.now) == 0


async def test_single_sign_ons_that_never_come_back_are_counted_too(installation: Runtime, clock: ManualClock) -> None:
    for _ in range(FREE_SIGN_ONS):
        await sign_in_service.count_sign_on(installation, VISITOR.client)
    with pytest.raises(SignInPaused):
        await sign_in_service.count_sign_on(installation, VISITOR.client)
    # Who signs in with a password is not held up by them.
    await known(installation)
    assert await guess(installation, password=PASSWORD) == "signed in"
    clock.advance(seconds=15)
    async with installation.store.write() as connection:
        await sign_in_service.refund_sign_on(connection, VISITOR.client, clock.now)
    await sign_in_service.count_sign_on(installation, VISITOR.client)
