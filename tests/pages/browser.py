"""A browser without a window, by the WebDriver protocol (W3C, WebDriver)."""

import base64
import contextlib
import json
import shutil
import subprocess
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, port):
        self.root = f"http://127.0.0.1:{port}"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]}
        self.root += "/session/" + self.post("/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]

    def post(self, path, body):
        request = urllib.request.Request(self.root + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, path, width=1440, height=900, scheme="light"):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.post("/url", {"url": path.resolve().as_uri()})

    def command(self, name, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, *arguments):
        """What a script returns. `page` is the page's own object."""
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def click(self, selector, x=None, y=None):
        """Clicks an element, in its middle or at a place in it."""
        where = self.run("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                         "return [r.x, r.y, r.width, r.height]", selector)
        at = {"x": where[0] + (where[2] / 2 if x is None else x),
              "y": where[1] + (where[3] / 2 if y is None else y), "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, **at)

    def type(self, selector, text):
        element = self.post("/element", {"using": "css selector", "value": selector})[ELEMENT]
        self.post(f"/element/{element}/value", {"text": text})

    def complaints(self):
        """What the browser's console has, since the last time."""
        return self.post("/se/log", {"type": "browser"})

    def picture(self, path):
        with urllib.request.urlopen(self.root + "/screenshot", timeout=60) as answer:
            path.write_bytes(base64.b64decode(json.load(answer)["value"]))


@contextlib.contextmanager
def started():
    """A browser; None if there is none here."""
    driver = shutil.which("chromedriver")
    if not driver or not shutil.which("chromium"):
        yield None
        return
    process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True)
    try:
        port = None
        for line in process.stdout:
            if "started successfully on port" in line:
                port = int(line.rstrip(".\n").rpartition(" ")[2])
                break
        browser = Browser(port)
        try:
            yield browser
        finally:
            urllib.request.urlopen(urllib.request.Request(browser.root, method="DELETE"), timeout=60).close()
    finally:
        process.terminate()
        process.wait(timeout=60)
