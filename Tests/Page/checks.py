"""What a person does with the page, one check after the other; the order matters, since they share a store."""

import http.server
import threading

from scene import HOSTILE, KEY, RIGHT_TO_LEFT, part_url


class Stage:
    """The services that the checks share."""

    def __init__(self, scene, browser):
        self.scene = scene
        self.browser = browser
        self.faults()
        self.service = scene.serve("--metadata", "shop.xml", "--data", "rows", "--delta", "--faults", "faults.json")
        scene.open_store(self.service, STORE)
        self.store = scene.serve(STORE)
        browser.cdp("Network.setCacheDisabled", cacheDisabled=True)

    def faults(self):
        """The second download waits, so that it can be cancelled; the first upload, so that its progress can be seen."""
        self.scene.write(
            "faults.json",
            """[{"match": "GET /Lines", "nth": 2, "action": "delay", "milliseconds": 3000},
                {"match": "GET /Lines", "nth": 3, "action": "delay", "milliseconds": 60000}]""",
        )

    def open(self, address=""):
        """Shows a view of the store's page."""
        self.browser.go("about:blank")
        self.browser.go(self.store + address)
        self.browser.wait("the page", lambda: self.browser.all("main h1"))

    def expect_quiet(self):
        """No violation of the policy, no error of a script."""
        entries = self.browser.console()
        assert not entries, entries
        title = self.browser.script("return document.title")
        assert title != "taken", "a value ran as a script"


# Hostile, but a name that a file may have.
STORE = "<b>&\"'%41.sqlite"


def rows_and_relations(stage):
    browser = stage.browser
    stage.open()
    browser.see("Entity sets and singletons")
    assert browser.script("return document.querySelector('#name').textContent") == STORE
    browser.click("main a", "Orders")
    browser.see("50 of 131 rows")
    browser.see(HOSTILE)
    browser.see(RIGHT_TO_LEFT)
    browser.see("9007199254740993")
    browser.click("main button", "Show more rows")
    browser.see("100 of 131 rows")
    browser.click("main a", "Orders(1)")
    browser.see("Relations")
    browser.click("main a", "Lines")
    browser.see("of the first")
    browser.click("main a", "Lines(1)")
    browser.click("main a", "Order")
    browser.wait("the order", lambda: browser.script("return document.querySelector('h1').textContent") == "Lines(1)/Order")
    browser.see(HOSTILE)


def queries(stage):
    browser = stage.browser
    stage.open("#/data/")
    browser.type("#query", "Orders?$filter=contains(Title,'er 12')&$orderby=ID desc&$select=ID,Title")
    browser.press("Enter")
    browser.see("11 rows")
    browser.see("order 129")
    browser.type("#query", "Orders/$count")
    browser.click("main button", "Run")
    browser.see("131")
    browser.type("#query", "Orders?$count=true&$top=3")
    browser.click("main button", "Run")
    browser.see("3 of 131 rows")
    browser.type("#query", "Orders?$filter=Titel eq 1")
    browser.click("main button", "Run")
    browser.wait("the error", lambda: "Shop.Order has no" in browser.script(
        "return document.querySelector('[role=alert]').textContent"))
    stage.open("#/data/Orders?$top=60&$orderby=ID")
    browser.see("50 rows, more follow")
    browser.click("main button", "Show more rows")
    browser.see("60 rows")
    counted = browser.script("return performance.getEntriesByType('resource').filter((entry) => entry.name.includes('$count'))"
                             ".map((entry) => entry.name)")
    assert not counted, f"rows beyond $top are counted: {counted}"
    browser.script("location.hash = '#/data/Orders?$orderby=Titel'")
    browser.wait("the box of a link that fails", lambda: browser.script(
        "return document.querySelector('#query').value") == "Orders?$orderby=Titel")
    # What the service refuses, Chromium logs by itself.
    assert all("400 (Bad Request)" in entry["message"] for entry in browser.console())
    browser.type("#query", "Parts('P-2')")
    browser.press("Enter")
    browser.see("nut")


def hostile_keys(stage):
    browser = stage.browser
    stage.open("#/data/Parts")
    browser.see(KEY)
    browser.click("main tbody tr:not(:has(th a[href*='P-2'])) a")
    browser.see("Shop.Part")
    browser.see(HOSTILE)
    stage.open("#/data/" + part_url())
    browser.see("Shop.Part")


def queue(stage):
    browser = stage.browser
    stage.open("#/queue")
    browser.see("4 changes wait")
    browser.click("article a", "Orders(3)")
    browser.see("Relations")
    stage.open("#/queue")
    browser.click("button", "Edit request 2")
    assert browser.focused() == "Body of request 2 (JSON)"
    browser.type("textarea", '{"Title": "edited in the page"}')
    browser.click("button", "Save")
    browser.see('{"Title":"edited in the page"}')
    browser.see("request 2 has a new body")
    browser.click("button", "Move request 2 up")
    browser.see("request 2 stands before 1")
    order = browser.script("return [...document.querySelectorAll('article')].map((card) => card.dataset.request)")
    assert order == ["2", "1", "3", "4"], order
    browser.click("button", "Move request 2 down")
    browser.see("request 2 stands after 1")
    # Who moves it by the keyboard may go on.
    assert browser.focused() == "Move request 2 down", browser.focused()
    browser.click("button", "Drop request 4")
    browser.see("Drop request 4?")
    browser.press("Escape")
    browser.see_not("Drop request 4?")
    browser.see("4 changes wait")
    browser.click("button", "Drop request 4")
    browser.click("dialog button", "Drop")
    browser.see("3 changes wait")
    browser.see("request 4 and its effect on the store are taken back")
    browser.click("button", "Edit request 1")
    browser.type("textarea", '{"Titel": 1}')
    browser.click("button", "Save")
    browser.see("has no property 'Titel'")
    assert all("400 (Bad Request)" in entry["message"] for entry in browser.console())


def synchronization(stage):
    browser, scene = stage.browser, stage.scene
    # Somebody else is faster, with a value that is no friend.
    scene.send("PATCH", stage.service + "Orders(3)", {"Title": HOSTILE}, **{"If-Match": "*"})
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("2 carried out, 1 refused")
    browser.click("main a", "See what was refused")
    browser.see("The service has refused 1 request.")


def conflicts(stage):
    browser, scene = stage.browser, stage.scene
    stage.open("#/errors")
    browser.see("The service has changed or deleted the entity.")
    browser.wait("three versions", lambda: browser.script(
        "return [...document.querySelectorAll('article tbody tr.both > *')].map((cell) => cell.textContent)"
    ) == ["Title", "plain", "mine", HOSTILE, "both"])
    browser.click("button", "Merge…")
    browser.type("textarea", '{"Title": "merged in the page"}')
    browser.click("button", "Merge")
    browser.see("The service has refused nothing.")
    browser.see("the conflict of Orders(3) is resolved")
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("1 carried out")
    assert "merged in the page" in scene.send("GET", stage.service + "Orders(3)/Title")[2]


def refuse(stage, number):
    """Lets the service refuse a change of an order with 412."""
    scene = stage.scene
    scene.send("PATCH", stage.store + f"Orders({number})", {"Title": f"mine of {number}"})
    scene.send("PATCH", stage.service + f"Orders({number})", {"Title": f"theirs of {number}"}, **{"If-Match": "*"})
    stage.open("#/sync")
    stage.browser.click("button", "Upload")
    stage.browser.see("1 refused")
    stage.open("#/errors")
    stage.browser.see("Decide which side stands.")


def other_decisions(stage):
    browser, scene = stage.browser, stage.scene
    refuse(stage, 20)
    browser.click("button", "Keep mine")
    browser.see("The service has refused nothing.")
    refuse_waiting = scene.send("GET", stage.store + "Orders(20)/Title/$value")[2]
    assert refuse_waiting == "mine of 20", refuse_waiting
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("1 carried out")
    refuse(stage, 21)
    browser.click("button", "Take the service's")
    browser.see("The service has refused nothing.")
    assert scene.send("GET", stage.store + "Orders(21)/Title/$value")[2] == "theirs of 21"
    refuse(stage, 22)
    browser.click("article button[aria-label^='Discard']")
    browser.click("dialog button", "Discard")
    browser.see("The service has refused nothing.")


def repeated(stage):
    """A creation that the service refuses is corrected, and repeated."""
    browser, scene = stage.browser, stage.scene
    scene.send("POST", stage.store + "Parts", {"Number": "P-9", "Name": "x"})
    scene.send("POST", stage.service + "Parts", {"Number": "P-9", "Name": "of another"})
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("1 refused")
    stage.open("#/errors")
    browser.see("POST Parts")
    scene.send("DELETE", stage.service + "Parts('P-9')", **{"If-Match": "*"})
    browser.click("article button[aria-label^='Edit']")
    browser.type("textarea", '{"Number": "P-9", "Name": "corrected"}')
    browser.click("button", "Save")
    browser.see("The service has refused nothing.")
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("1 carried out")
    assert "corrected" in scene.send("GET", stage.service + "Parts('P-9')")[2]


def retried(stage):
    browser, scene = stage.browser, stage.scene
    scene.send("POST", stage.store + "Parts", {"Number": "P-10", "Name": "x"})
    scene.send("POST", stage.service + "Parts", {"Number": "P-10", "Name": "of another"})
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("1 refused")
    scene.send("DELETE", stage.service + "Parts('P-10')", **{"If-Match": "*"})
    stage.open("#/errors")
    browser.click("article button[aria-label^='Retry']")
    browser.see("The service has refused nothing.")
    stage.open("#/sync")
    browser.click("button", "Upload")
    browser.see("1 carried out")


def progress_and_cancel(stage):
    browser = stage.browser
    stage.open("#/sync")
    assert not browser.script("return document.querySelector('progress').checkVisibility()"), "nothing runs yet"
    browser.click("button", "Download")
    browser.wait("live progress", lambda: browser.script(
        "const bar = document.querySelector('progress'); return !bar.hidden && bar.value > 0"))
    browser.see("download: step")
    assert browser.script("return document.querySelector('#status').textContent").startswith("download: step")
    browser.see("downloaded: ")
    browser.see("Upload, then download")
    browser.click("button", "Upload, then download")
    browser.see("download: step")
    browser.click("button", "Cancel")
    browser.see("cancelled")
    browser.wait("the buttons", lambda: browser.script(
        "return [...document.querySelectorAll('main button')].filter((b) => !b.hidden).map((b) => b.textContent).join()"
    ) == "Upload,Download,Upload, then download")


def events(stage):
    browser = stage.browser
    stage.open("#/events")
    browser.see("Events, newest first")
    browser.see("Upload")
    browser.click("button", "Refresh")
    browser.see("Events, newest first")


def model(stage):
    browser = stage.browser
    stage.open("#/model")
    browser.see("Shop.Photo (entity, with a stream)")
    names = browser.script("return [...document.querySelectorAll('svg a')].map((box) => box.getAttribute('aria-label'))")
    assert sorted(names) == ["Shop.Line", "Shop.Order", "Shop.Part", "Shop.Photo"], names
    inside = browser.script(
        """const svg = document.querySelector('svg').getBoundingClientRect();
        return [...document.querySelectorAll('svg rect, svg > path')].every((shape) => {
          const box = shape.getBoundingClientRect();
          return box.left >= svg.left - 1 && box.right <= svg.right + 1 && box.bottom <= svg.bottom + 1;
        })""")
    assert inside, "a part of the diagram is cut"
    lines = browser.script("return [...document.querySelectorAll('svg > path title')].map((title) => title.textContent)")
    assert "Line/Order → Order" in lines, lines
    browser.script("document.querySelector('svg a[aria-label=\"Shop.Part\"]').focus()")
    browser.press("Enter")
    browser.wait("one type and its neighbours", lambda: browser.script(
        "return document.querySelectorAll('svg a').length") == 2)
    browser.see("Number")
    browser.script("document.querySelector('#type').value = 'Shop.Photo'")
    browser.click("button", "Show")
    browser.wait("a type without neighbours", lambda: browser.script(
        "return document.querySelectorAll('svg a').length") == 1)


def streams(stage):
    """A stream is saved and never shown: it may be HTML of a stranger."""
    browser, scene = stage.browser, stage.scene
    media = b"<!DOCTYPE html><script>document.title='taken'</script><p>stranger</p>"
    answer = scene.send("POST", stage.service + "Photos", media, **{"Content-Type": "text/html"})
    assert answer[0] == 201, answer
    url = answer[1]["Location"]
    head = scene.send("GET", url + "/$value")[1]
    assert head["Content-Type"].startswith("text/html") and head["X-Content-Type-Options"] == "nosniff"
    browser.go(url + "/$value")
    browser.see("stranger")
    assert browser.script("return document.title") != "taken"
    assert any("sandboxed" in entry["message"] or "Content Security Policy" in entry["message"] for entry in browser.console())
    browser.go(stage.service + "#/data/" + url.removeprefix(stage.service))
    browser.click("button", "Save content")
    browser.see("Streams")


def service_pages(stage):
    """A service without store has rows and a model; OData 2.0 looks the same."""
    browser = stage.browser
    browser.go(stage.service)
    browser.see("Entity sets and singletons")
    views = browser.script("return [...document.querySelectorAll('header nav a')].map((link) => link.textContent)")
    assert views == ["Data", "Model"], views
    browser.click("main a", "Orders")
    browser.see(HOSTILE)
    old = stage.scene.serve("--metadata", "old.xml", "--data", "old-rows")
    browser.go(old)
    browser.see("OData 2.0")
    browser.click("main a", "Orders")
    browser.see("2 rows")
    browser.see(HOSTILE)
    browser.click("main a", "Orders(1)")
    browser.click("main a", "Lines")
    browser.see("Lines(7)")


def tokens(stage):
    browser = stage.browser
    root = stage.scene.serve("--metadata", "shop.xml", "--data", "rows", "--token", "se&cr#et")
    browser.go(root + "#/data/Parts")
    browser.see("This service was started with --token.")
    browser.type("#token", "wrong")
    browser.press("Enter")
    browser.wait("the form again", lambda: browser.script("return document.querySelector('#token')?.value") == "")
    browser.type("#token", "se&cr#et")
    browser.press("Enter")
    browser.see("bolt")
    browser.refresh()
    browser.see("bolt")
    other = stage.scene.serve("--metadata", "shop.xml", "--data", "rows", "--token", "se&cr#et")
    browser.go(other + "#token=se%26cr%23et")
    browser.see("Entity sets and singletons")
    assert "token" not in browser.script("return location.href")
    assert all("401 (Unauthorized)" in entry["message"] for entry in browser.console())


VIEWS = ["#/data/", "#/data/Orders", "#/data/Orders(1)", "#/queue", "#/errors", "#/events", "#/sync", "#/model", "#/versions/Orders(30)"]


def narrow(stage):
    """At 360 pixels nothing is cut and the page does not scroll sideways."""
    browser, scene = stage.browser, stage.scene
    refuse(stage, 30)
    scene.send("PATCH", stage.store + "Orders(31)", {"Title": "long" * 200})
    browser.width(360)
    try:
        for view in VIEWS:
            stage.open(view)
            browser.wait("the view", lambda: browser.script("return !document.querySelector('main[aria-busy]')"))
            width = browser.script("return [innerWidth, document.documentElement.scrollWidth]")
            assert width == [360, 360], (view, width)
            cut = browser.script(
                """return [...document.querySelectorAll('main *, header *')].filter((element) => !element.closest('.scroll *, svg')
                  && element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.outerHTML)""")
            assert not cut, (view, cut)
    finally:
        browser.width(1200)


def colours(stage):
    """Dark and light, each with enough contrast (WCAG 2.2, 1.4.3)."""
    browser = stage.browser
    backs = {}
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        for view in VIEWS:
            stage.open(view)
            browser.wait("the view", lambda: browser.script("return !document.querySelector('main[aria-busy]')"))
            low = browser.script(CONTRAST)
            assert not low, (scheme, view, low)
        backs[scheme] = browser.script("return getComputedStyle(document.body).backgroundColor")
    assert backs["light"] != backs["dark"], backs
    browser.scheme("light")


CONTRAST = """
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => {
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const back = (element) => {
  for (let place = element; place; place = place.parentElement) {
    const colour = numbers(getComputedStyle(place).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const low = [];
for (const element of document.querySelectorAll('body *')) {
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!hasText || element.closest('svg') || !element.checkVisibility()) continue;
  const [one, other] = [light(numbers(getComputedStyle(element).color)), light(back(element))].sort((a, b) => b - a);
  if ((one + 0.05) / (other + 0.05) < 4.5) low.push(element.outerHTML.slice(0, 200));
}
return low;
"""


def keyboard(stage):
    """Everything is reached and done by the keyboard."""
    browser = stage.browser
    stage.open()
    browser.press("Tab")
    assert browser.focused() == "Skip to the content", browser.focused()
    browser.press("Enter")
    browser.tab_to("OData query")
    for letter in "Orders(2)":
        browser.press(letter)
    browser.press("Enter")
    browser.wait("the focus on the heading", lambda: browser.focused() == "Orders(2)")
    stage.open()
    browser.tab_to("Queue")
    browser.press("Enter")
    browser.wait("the focus on the heading", lambda: browser.focused() == "Queue" and browser.all("article"))
    number = browser.script("return document.querySelector('article').dataset.request")
    browser.tab_to(f"Edit request {number}")
    browser.press("Enter")
    assert browser.focused() == f"Body of request {number} (JSON)"
    good = browser.script("const field = document.activeElement, text = field.value; field.value = '{'; return text")
    browser.tab_to("Save")
    browser.press("Space")
    browser.wait("an error", lambda: browser.script("return document.querySelector('[role=alert]').textContent"))
    assert browser.focused() == "Save", "the focus is lost where an action fails"
    assert all("400 (Bad Request)" in entry["message"] for entry in browser.console())
    browser.script("document.querySelector('textarea').value = arguments[0]", good)
    browser.press("Space")
    browser.see(f"request {number} has a new body")
    browser.tab_to(f"Drop request {number}")
    browser.press("Enter")
    browser.see(f"Drop request {number}?")
    browser.tab_to("Keep", most=3)
    browser.press("Enter")
    browser.see_not(f"Drop request {number}?")
    outline = browser.script(
        "return getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement.matches('h1, main, body')")
    assert outline, "the focus cannot be seen"


def landmarks(stage):
    """What a screen reader goes by: names of controls, headings, landmarks, live regions."""
    browser = stage.browser
    for view in VIEWS:
        stage.open(view)
        nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
        shown = [node for node in nodes if not node.get("ignored")]
        roles = [node["role"]["value"] for node in shown]
        for role in ("banner", "navigation", "main", "status", "alert"):
            assert role in roles, (view, role)
        for node in shown:
            if node["role"]["value"] in ("button", "link", "textbox", "combobox", "table", "progressbar", "region", "article", "dialog"):
                assert node.get("name", {}).get("value"), (view, node)
        assert browser.script("return document.querySelectorAll('h1').length") == 1, view
        assert browser.script("return document.documentElement.lang") == "en"


class Foreign(http.server.BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self):
        body = b"<!DOCTYPE html><title>foreign</title><p>foreign"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ATTACK = """
const [root, done] = arguments;
const results = {};
const attempt = async (name, action) => {
  try { results[name] = await action(); } catch (error) { results[name] = 'refused'; }
};
const json = { 'Content-Type': 'application/json' };
const loaded = (name, attributes) => new Promise((resolve) => {
  const element = Object.assign(document.createElement(name), attributes);
  element.onload = () => resolve('loaded');
  element.onerror = () => resolve('refused');
  document.body.append(element);
});
(async () => {
  await attempt('read', async () => (await fetch(root + '$page/queue')).text());
  await attempt('read OData', async () => (await fetch(root + 'Orders')).text());
  await attempt('post', async () => (await fetch(root + '$page/queue/drop', { method: 'POST', headers: json, body: '{"id": 1}' })).text());
  await attempt('no-cors', async () => {
    await fetch(root + '$page/sync/start', { method: 'POST', mode: 'no-cors', body: '{"operation": "upload"}' });
    return 'refused';
  });
  await attempt('patch', async () => (await fetch(root + 'Orders(2)', { method: 'PATCH', headers: json, body: '{"Title": "foreign"}' })).text());
  await attempt('script', () => loaded('script', { src: root + '$page/page.js' }));
  await attempt('image', () => loaded('img', { src: root + '$page/icon.svg' }));
  done(results);
})();
"""


def foreign_pages(stage):
    """A page of another site neither reads nor writes, by script, by form, by frame."""
    browser, scene = stage.browser, stage.scene
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    before = scene.send("GET", stage.store + "$page/queue")[2]
    try:
        for host in ("127.0.0.1", "localhost"):
            browser.go(f"http://{host}:{server.server_port}/")
            results = browser.script_async(ATTACK, stage.store)
            assert set(results.values()) == {"refused"}, results
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
                browser.go(f"http://{host}:{server.server_port}/")
                browser.script(
                    """const [action, enctype] = arguments;
                    const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype });
                    form.append(Object.assign(document.createElement('input'), { name: '{"id": 1, "x": "', value: '"}' }));
                    document.body.append(form);
                    form.submit();""",
                    stage.store + "$page/queue/drop", kind)
                browser.see("requests of another origin are not taken")
            browser.go(f"http://{host}:{server.server_port}/")
            browser.script(
                "document.body.append(Object.assign(document.createElement('iframe'), { src: arguments[0], name: 'frame' }))",
                stage.store)
            browser.wait("the frame's end", lambda: browser.script("return frames.length") == 1)
            reached = browser.script("try { return frames[0].document.body?.innerText ?? 'none' } catch { return 'closed' }")
            assert "Queue" not in reached, reached
    finally:
        server.shutdown()
        server.server_close()
    assert scene.send("GET", stage.store + "$page/queue")[2] == before
    assert scene.send("GET", stage.store + "Orders(2)/Title/$value")[2] == RIGHT_TO_LEFT
    # What was refused is what Chromium has logged.
    for entry in browser.console():
        assert any(word in entry["message"] for word in ("CORS", "403", "ERR_FAILED", "ERR_BLOCKED", "favicon.ico")), entry


def service_that_ends(stage):
    """A page whose service has ended says so."""
    browser, scene = stage.browser, stage.scene
    root = scene.serve("--metadata", "shop.xml", "--data", "rows")
    browser.go(root)
    browser.see("Entity sets and singletons")
    scene.processes[-1].terminate()
    scene.processes[-1].wait()
    browser.click("header a", "Model")
    browser.see("The service does not answer.")
    assert all("ERR_CONNECTION_REFUSED" in entry["message"] for entry in browser.console())


ALL = [
    rows_and_relations, queries, hostile_keys, queue, synchronization, conflicts, other_decisions, repeated, retried,
    progress_and_cancel, events, model, streams, service_pages, tokens, narrow, colours, keyboard, landmarks,
    foreign_pages, service_that_ends,
]
