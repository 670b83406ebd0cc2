"""A browser judges the page of `sinew report`.

page.py PAGE FOLDER SHOTS TAG: the page of a whole folder, whose files tell what has to be in it; pictures go to SHOTS.
page.py PAGE bare: the page of a folder without rest.obj and maps, whose texture is red.
page.py PAGE no_picture: the same with a texture that is not a picture.
page.py PAGE muscles SHOTS: the page of a tube with two muscles, one of them tense; pictures go to SHOTS.
"""

import base64
import re
import sys
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

FLAGS = (
    "--no-sandbox --disable-quic --disable-background-networking --use-gl=angle --use-angle=swiftshader "
    "--enable-unsafe-swiftshader"
)
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def opened(browser, path, size=WIDE, scheme="light", before=None, ready=True):
    """The page, once everything is there; it must not complain and not ask the network."""
    page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    page.problems = []
    page.on("console", lambda m: page.problems.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: page.problems.append(str(e)))
    page.on(
        "request",
        lambda r: page.problems.append(r.url[:99]) if not r.url.startswith(("file:", "data:", "blob:")) else None,
    )
    if before:
        page.add_init_script(before)
    page.goto(Path(path).resolve().as_uri())
    if ready:
        page.wait_for_selector("html[data-ready]", state="attached", timeout=60000)
    return page


def pixels(page):
    """What the canvas shows, as an array."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    text = page.evaluate("() => document.getElementById('canvas').toDataURL('image/png')")
    return cv2.imdecode(np.frombuffer(base64.b64decode(text.split(",")[1]), np.uint8), cv2.IMREAD_COLOR).astype(int)


def pane(page, image, name):
    """The part of the canvas behind a pane."""
    box, outer = [page.locator(s).bounding_box() for s in (f"#pane-{name}", "#canvas")]
    ratio = image.shape[1] / outer["width"]
    x, y = [round((box[k] - outer[k]) * ratio) for k in "xy"]
    return image[y : y + int(box["height"] * ratio) - 1, x : x + int(box["width"] * ratio) - 1]


def differing(a, b):
    """The part of the pixels that differ to the eye."""
    return (np.abs(a - b).max(axis=2) > 12).mean()


def frame(page):
    return page.evaluate("() => report.rows[state.values.index].frame")


def read_obj(path):
    """Points, and for each vertex the UVs at its corners."""
    points, uvs, at = [], [], {}
    for line in Path(path).read_text().splitlines():
        word, *rest = line.split()
        if word == "v":
            points.append([float(x) for x in rest])
        elif word == "vt":
            uvs.append([float(x) for x in rest])
        elif word == "f":
            for corner in rest:
                vertex, uv = [int(x) - 1 for x in corner.split("/")[:2]]
                at.setdefault(vertex, []).append(uvs[uv])
    return np.array(points), at


def stretches(triangles, rest, now):
    """The larger singular value of each triangle's map, around each vertex its mean by areas."""
    x, y = rest[triangles], now[triangles]
    gram = lambda p: (e := np.stack([p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]], 2)).transpose(0, 2, 1) @ e
    larger = np.sqrt(np.linalg.eigvals(np.linalg.inv(gram(x)) @ gram(y)).real.max(axis=1))
    area = np.sqrt(np.linalg.det(gram(y)))
    sums = np.zeros((triangles.max() + 1, 2))
    for k in range(3):
        np.add.at(sums, triangles[:, k], np.stack([area * larger, area], 1))
    return sums[:, 0] / sums[:, 1]


def check_numbers(page, folder):
    """Positions and UVs that the page unpacked, against the files, within what the page says."""
    step, uv_step = page.evaluate("() => [report.positions.step, report.uvs.step]")
    corners = np.array(page.evaluate("() => [...decode.surface.triangles]"))
    vertex_of = np.array(page.evaluate("() => [...decode.surface.vertexOf]"))
    worst, worst_uv = 0, 0
    for k in [None, 0, 11, 23]:
        points, at = read_obj(folder / ("rest.obj" if k is None else f"uv.{k + 1:04}.obj"))
        uv = np.array(page.evaluate("(k) => [...Array(decode.surface.points).keys()].map((p) => decode.uv(k, p))", k))
        if k is not None:
            stated = np.array(
                page.evaluate("(k) => [...Array(report.vertices).keys()].map((v) => decode.position(k, v))", k)
            )
            worst = max(worst, np.abs(stated - points).max())
        shown = {v: [] for v in at}
        for point in set(corners.tolist()):
            shown[vertex_of[point]].append(uv[point])
        for vertex, wanted in at.items():
            far = np.abs(np.array(wanted)[:, None] - np.array(shown[vertex])[None]).max(axis=2)
            worst_uv = max(worst_uv, far.min(axis=0).max(), far.min(axis=1).max())
    assert worst <= 0.5001 * step and worst_uv <= 0.5001 * uv_step < 1 / 8 / 4096, (worst, step, worst_uv, uv_step)
    wanted = np.loadtxt(folder / "maps.0012.csv", delimiter=",", skiprows=1)[:, [1, 2, 4]]
    stated = np.array(
        page.evaluate("() => [...Array(report.vertices).keys()].map((v) => [0, 1, 2].map((m) => decode.map(11, m, v)))")
    )
    steps = np.array(page.evaluate("() => report.maps.map((m) => m.step)"))
    assert (np.abs(stated - wanted) <= 0.5001 * steps[:3]).all()
    beside = np.array(page.evaluate("() => [...Array(report.vertices).keys()].map((v) => decode.map(11, 3, v))"))
    triangles = vertex_of[corners].reshape(-1, 3)
    wanted = stretches(triangles, *(read_obj(folder / name)[0] for name in ["rest.obj", "uv.0012.obj"]))
    assert np.abs(beside - wanted).max() <= 0.51 * steps[3] + 1e-9, np.abs(beside - wanted).max()
    print(f"skinning stretches by {beside.min():.3f} to {beside.max():.3f}")
    print(f"positions off by {worst:.1e} of a step of {step:.1e}, UVs by {worst_uv:.1e}")


def check_pictures(page):
    page.keyboard.press("Home")
    start = pixels(page)
    same = differing(pane(page, start, "skinning"), pane(page, start, "sliding"))
    page.keyboard.press("End")
    end = pixels(page)
    apart = differing(pane(page, end, "skinning"), pane(page, end, "sliding"))
    assert differing(start, end) > 0.02 and same < 0.002 and apart > 0.02, (differing(start, end), same, apart)
    page.locator("#scrub").fill("11")
    assert frame(page) == 12 and differing(pixels(page), end) > 0.01
    before = pixels(page)
    page.mouse.move(*centre(page, "#pane-sliding"))
    page.mouse.down()
    page.mouse.move(*(x + 60 for x in centre(page, "#pane-sliding")))
    page.mouse.up()
    assert differing(pixels(page), before) > 0.02, "a drag must orbit"
    page.keyboard.press("f")
    assert differing(pixels(page), before) < 0.001, "F must bring the first view back"
    page.mouse.wheel(0, -300)
    assert differing(pixels(page), before) > 0.02, "the wheel must zoom"
    page.mouse.dblclick(*centre(page, "#pane-sliding"))
    assert differing(pixels(page), before) < 0.001, "a double click must bring the first view back"


def centre(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def check_overlays(page):
    page.keyboard.press("End")
    seen = [pixels(page)]
    for key, words in [("2", "Slide distance, scene units"), ("3", "Largest stretch"), ("4", "Wrinkle amplitude")]:
        page.keyboard.press(key)
        seen.append(pixels(page))
        assert words in page.locator("#legend").inner_text()
        assert page.locator("#overlays [aria-pressed=true]").count() == 1
    left = [pane(page, image, "skinning") for image in seen]
    right = [pane(page, image, "sliding") for image in seen]
    for a in range(4):
        for b in range(a):
            assert differing(right[a], right[b]) > 0.02, (a, b)
            # Skin that does not slide is stretched, too; the rest is the same.
            same = differing(left[a], left[b]) == 0 if a != 2 and b != 2 else differing(left[a], left[b]) > 0.02
            assert same, (a, b)
    page.keyboard.press("3")
    assert re.search(r"up to [0-9.]+ sliding, [0-9.]+ skinning", page.locator("#legend").inner_text())
    page.locator("#overlays button").first.click()
    assert differing(pixels(page), seen[0]) == 0 and page.locator("#legend").is_hidden()


def check_jumps(page):
    page.locator("#warnings button").nth(1).click()
    assert frame(page) == 15 and page.locator("#badge").is_visible()
    assert "kept" in page.locator("#live").inner_text()
    box = page.locator("#plots svg").first.bounding_box()
    page.locator("#plots svg").first.click(position={"x": box["width"] - 5, "y": 30})
    assert frame(page) == 24
    page.locator("#plots svg").nth(2).click(position={"x": 44, "y": 30})
    assert frame(page) == 1
    cursor = page.locator("#plots .cursor").nth(3)
    assert abs(float(cursor.get_attribute("x1")) - 44) < 1


def check_keys(page):
    wanted = page.evaluate("""() => [...document.querySelectorAll('button, input, select, canvas')]
        .filter((e) => e.checkVisibility() && !e.closest('dialog')).map((e) => e.id || e.textContent)""")
    page.evaluate("() => document.activeElement.blur()")
    reached = set()
    for _ in range(len(wanted) + 6):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.id || document.activeElement.textContent"))
        ring = page.evaluate(
            "() => [document.activeElement === document.body, getComputedStyle(document.activeElement).outlineStyle]"
        )
        assert ring[0] or ring[1] != "none", "the focus must be seen"
    assert set(wanted) <= reached, set(wanted) - reached
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Home")
    for key, expected in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 24), ("Home", 1)]:
        page.keyboard.press(key)
        assert frame(page) == expected, key
    page.locator("#scrub").focus()
    page.keyboard.press("ArrowRight")
    assert frame(page) == 2, "an arrow on the timeline is one step, not two"
    page.keyboard.press("Space")
    page.wait_for_function("() => state.values.index > 3")
    page.keyboard.press("Space")
    held = frame(page)
    page.wait_for_timeout(200)
    assert frame(page) == held and not page.evaluate("() => state.values.playing")
    page.locator("#keys-open").focus()
    page.keyboard.press("Enter")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()
    page.locator("#next").click()
    page.keyboard.press("Space")
    assert page.evaluate("() => state.values.playing"), "after a click the space bar still plays"
    page.keyboard.press("Space")


def check_words(page, tag):
    assert page.locator("h1").inner_text() == f"A twisting tube {tag}" == page.title()
    assert tag in page.locator("#warnings").inner_text() and tag in page.locator("#about").inner_text()
    assert page.locator("img").count() == 0 and page.evaluate("() => window.broken") is None
    assert page.locator("#warnings li").count() == 4 and "1 kept" in page.locator("#summary").inner_text()


def check_size(page):
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], wide


def shoot(browser, path, shots):
    for name, size in [("wide", WIDE), ("narrow", NARROW)]:
        for scheme in ["light", "dark"]:
            page = opened(browser, path, size, scheme)
            check_size(page)
            page.keyboard.press("End")
            for key, overlay in zip("1234", ["texture", "slide", "strain", "wrinkles"]):
                page.keyboard.press(key)
                pixels(page)
                page.screenshot(path=shots / f"{name}_{scheme}_{overlay}.png")
            if name == "narrow":
                page.screenshot(path=shots / f"{name}_{scheme}_whole.png", full_page=True)
            ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
            assert (sum(int(x) for x in ground[4:-1].split(",")) > 384) == (scheme == "light")
            stage = pixels(page)[2, 2].mean()
            assert (stage > 128) == (scheme == "light")
            assert not page.problems, page.problems
            page.context.close()


def check_without_graphics(browser, path):
    page = opened(browser, path, before="HTMLCanvasElement.prototype.getContext = () => null", ready=False)
    page.get_by_text("no WebGL 2").wait_for()
    page.locator("#warnings button").first.click()
    assert frame(page) == 9 and not page.problems, page.problems


def whole(browser, path, folder, shots, tag):
    page = opened(browser, path)
    check_numbers(page, folder)
    check_words(page, tag)
    check_pictures(page)
    check_overlays(page)
    check_jumps(page)
    check_keys(page)
    assert not page.problems, page.problems
    narrow = opened(browser, path, NARROW)
    check_pictures(narrow)
    check_keys(narrow)
    shoot(browser, path, shots)
    check_without_graphics(browser, path)


def bare(browser, path):
    page = opened(browser, path)
    assert page.locator("#pane-skinning").is_hidden() and page.locator("#overlays").is_hidden()
    notes = page.locator("#notes").inner_text()
    assert "rest.obj" in notes and "overlays" in notes
    assert "red.png" in page.locator("#about").inner_text()
    before = pixels(page)
    blue, _, red = before.transpose(2, 0, 1)
    assert (red > 3 * blue).mean() > 0.1, "the texture must be seen"
    page.keyboard.press("End")
    page.keyboard.press("2")
    assert differing(before, pixels(page)) > 0.02 and not page.problems, page.problems


def no_picture(browser, path):
    page = opened(browser, path)
    words = "red.png is not a picture"
    assert words in page.locator("#message").inner_text() and words in page.locator("#notes").inner_text()
    blue, _, red = pixels(page).transpose(2, 0, 1)
    assert (red > 3 * blue).mean() < 0.05, "a checker stands for the texture"
    assert not page.problems, page.problems


def muscles(browser, path, shots):
    page = opened(browser, path)
    headings = page.locator(".pane h2").all_inner_texts()
    assert headings == ["Joints alone", "With muscles"], headings
    page.keyboard.press("End")
    seen = pixels(page)
    blue, _, red = pane(page, seen, "sliding").transpose(2, 0, 1)
    flesh = (red > 2 * blue).mean()
    assert flesh > 0.02, f"{flesh} of the picture is flesh"
    blue, _, red = pane(page, seen, "skinning").transpose(2, 0, 1)
    assert (red > 2 * blue).mean() < 0.001, "no muscles without the node"
    page.screenshot(path=f"{shots}/muscles.png")
    page.keyboard.press("t")
    closed = pixels(page)
    blue, _, red = pane(page, closed, "sliding").transpose(2, 0, 1)
    assert (red > 2 * blue).mean() < 0.2 * flesh, "the skin must hide the muscles"
    assert page.locator("#through").get_attribute("aria-pressed") == "false"
    page.locator("#through").click()
    assert differing(pixels(page), seen) < 0.001, "the button must bring them back"
    names = [t.strip("0123456789") for t in page.locator("#overlays button").all_inner_texts()]
    assert names == ["Flesh", "Tension", "Muscles"], names
    page.keyboard.press("2")
    assert differing(pane(page, pixels(page), "sliding"), pane(page, seen, "sliding")) > 0.02
    assert "springs, N" in page.locator("#legend-name").inner_text()
    tension = page.evaluate("() => decode.map(report.rows.length - 1, 0, report.vertices - 1)")
    assert abs(tension - 12) < 1e-3, tension
    page.keyboard.press("3")
    page.screenshot(path=f"{shots}/muscles_by_muscle.png")
    page.keyboard.press("Home")
    same = differing(pane(page, pixels(page), "skinning"), pane(page, closed, "skinning"))
    assert same > 0.001, "the frames must differ"
    for width in (360, 500, 640, 719, 721, 900, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert not covered_titles(page), (width, covered_titles(page))
    assert not page.problems, page.problems


def covered_titles(page):
    """The titles of panes over which a button lies."""
    boxes = lambda selector: [found.bounding_box() for found in page.locator(selector).all()]
    meet = lambda a, b: all(
        a[k] < b[k] + b[size] and b[k] < a[k] + a[size] for k, size in (("x", "width"), ("y", "height"))
    )
    titles = zip(page.locator(".pane h2").all_inner_texts(), boxes(".pane h2"))
    return [text for text, box in titles if any(meet(box, button) for button in boxes(".stage-tools button") if button)]


with sync_playwright() as p:
    browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS.split())
    if sys.argv[2] in ("bare", "no_picture"):
        {"bare": bare, "no_picture": no_picture}[sys.argv[2]](browser, sys.argv[1])
    elif sys.argv[2] == "muscles":
        muscles(browser, sys.argv[1], sys.argv[3])
    else:
        whole(browser, sys.argv[1], *map(Path, sys.argv[2:4]), sys.argv[4])
    browser.close()
