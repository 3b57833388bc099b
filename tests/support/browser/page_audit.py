"""What can be measured of a page in a browser: its weight, what sticks out of a narrow window, what keeps people from using it.

These scripts are the debugger's, so the page's policy does not stop them.
"""

from functools import cache
from importlib.resources import files

from playwright.async_api import Page, ViewportSize

MAX_PAGE_BYTES = 100_000
NARROW: ViewportSize = {"width": 390, "height": 844}
_GRAVE = ("serious", "critical")
_AXE = """async ([rules, grave]) => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const changes = document.getAnimations().filter(animation => animation instanceof CSSTransition);
  await Promise.allSettled(changes.map(change => change.finished));
  const faults = (await axe.run(document, rules)).violations.filter(rule => grave.includes(rule.impact));
  const told = (rule, node) => `${rule.impact} ${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`;
  return faults.flatMap(rule => rule.nodes.map(node => told(rule, node)));
}"""
"""After another window or theme has been drawn."""
_UNFOLD = "() => document.querySelectorAll('details:not([open])').forEach(part => { part.open = true; part.dataset.folded = ''; })"
_FOLD = "() => document.querySelectorAll('[data-folded]').forEach(part => { part.open = false; delete part.dataset.folded; })"
_RULES = {"rules": {"target-size": {"enabled": True}}}
"""All that are on by default, and the size of what is clicked."""
_WEIGHT = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(entry => [entry.name, entry.encodedBodySize])"""
_STICKING_OUT = """() => {
  const page = document.documentElement;
  const isOut = element => element.getBoundingClientRect().right > page.clientWidth + 1;
  const all = page.scrollWidth > page.clientWidth ? [...document.querySelectorAll('body *')] : [];
  return all.filter(isOut).map(element => element.outerHTML.slice(0, 120));
}"""


async def weight_of(page: Page) -> dict[str, int]:
    """Bytes as they were sent, of the page and of each style sheet, script and picture that came with it."""
    return dict(await page.evaluate(_WEIGHT))


async def faults_of(page: Page) -> list[str]:
    """What keeps somebody from using the page: on a wide window by day, and with everything unfolded on a narrow one by night.

    Where the page may not run scripts axe would never end.
    """
    await page.evaluate(_axe())
    found = await _axe_faults(page)
    wide = page.viewport_size
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size(NARROW)
    found += [f"narrow and dark: sticks out: {element}" for element in await page.evaluate(_STICKING_OUT)]
    await page.evaluate(_UNFOLD)
    found += [f"narrow and dark: {fault}" for fault in await _axe_faults(page)]
    found += [f"unfolded: sticks out: {element}" for element in await page.evaluate(_STICKING_OUT)]
    await page.evaluate(_FOLD)
    await page.emulate_media(color_scheme="light")
    if wide is not None:
        await page.set_viewport_size(wide)
    return found


async def _axe_faults(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(_AXE, [_RULES, _GRAVE])
    return found


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
