"""Drives a headless Chromium by WebDriver's JSON protocol, with the standard library alone."""

import base64
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " ", "Shift": "\ue008"}
# Time in which what is waited for must happen.
PATIENCE = 20


class Missing(AssertionError):
    """What was waited for did not happen."""


class Browser:
    """A chromedriver with one window."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.root = f"http://127.0.0.1:{self._port()}"
        self.profile = tempfile.TemporaryDirectory(prefix="page-profile-")
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--force-prefers-reduced-motion", "--window-size=1200,900",
            f"--user-data-dir={self.profile.name}",
        ]
        wanted = {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base = f"/session/{answer['sessionId']}"
        self.version = answer["capabilities"]["browserVersion"]

    def _port(self):
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found[1])
        raise RuntimeError("chromedriver did not start")

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Missing(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def close(self):
        try:
            self._send("DELETE", self.base)
        finally:
            self.process.terminate()
            self.process.wait()
            self.profile.cleanup()

    # Pages

    def go(self, url):
        self._send("POST", self.base + "/url", {"url": url})

    def refresh(self):
        self._send("POST", self.base + "/refresh", {})

    def script(self, text, *arguments):
        return self._send("POST", self.base + "/execute/sync", {"script": text, "args": list(arguments)})

    def script_async(self, text, *arguments):
        return self._send("POST", self.base + "/execute/async", {"script": text, "args": list(arguments)})

    def cdp(self, command, **parameters):
        return self._send(
            "POST", self.base + "/goog/cdp/execute", {"cmd": command, "params": parameters}
        )

    def width(self, pixels):
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            width=pixels, height=800, deviceScaleFactor=1, mobile=pixels < 600,
        )

    def scheme(self, name):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def console(self):
        """Warnings and errors that the browser has logged since the last call."""
        entries = self._send("POST", self.base + "/se/log", {"type": "browser"})
        return [entry for entry in entries if entry["level"] in ("WARNING", "SEVERE")]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._send("GET", self.base + "/screenshot")))

    # Elements

    def all(self, selector):
        found = self._send("POST", self.base + "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def wait(self, what, condition):
        """Waits until a condition holds, and returns what it found."""
        end = time.monotonic() + PATIENCE
        problem = ""
        while time.monotonic() < end:
            try:
                found = condition()
                if found:
                    return found
            except Missing as error:
                problem = f" ({error})"
            time.sleep(0.05)
        raise Missing(f"not seen: {what}{problem}; the page shows: {self.text()[:1500]}")

    def text(self):
        return self.script("return document.body.innerText")

    def see(self, text):
        return self.wait(text, lambda: text in self.text())

    def see_not(self, text):
        return self.wait(f"no {text}", lambda: text not in self.text())

    def click(self, selector, text=None):
        """Clicks the first element of a selector, or the one that has this text or label."""
        self.wait(f"{selector} {text or ''}", lambda: self._click(selector, text))

    def _click(self, selector, text):
        found = self.script(
            """const [selector, text] = arguments;
            return [...document.querySelectorAll(selector)].find((element) => !element.disabled && element.checkVisibility()
              && (!text || element.textContent.trim() === text || element.getAttribute('aria-label') === text)) ?? null""",
            selector, text,
        )
        if not found:
            return False
        self._send("POST", f"{self.base}/element/{found[ELEMENT]}/click", {})
        return True

    def type(self, selector, text):
        """Replaces the text of a field."""
        element = self.wait(selector, lambda: self.all(selector))[0]
        self._send("POST", f"{self.base}/element/{element}/clear", {})
        self._send("POST", f"{self.base}/element/{element}/value", {"text": text})

    def press(self, *names):
        """Presses keys one after the other; `Shift+Tab` holds the first."""
        actions = []
        for name in names:
            parts = [KEYS.get(part, part) for part in name.split("+")] if len(name) > 1 else [name]
            actions += [{"type": "keyDown", "value": part} for part in parts]
            actions += [{"type": "keyUp", "value": part} for part in reversed(parts)]
        self._send(
            "POST", self.base + "/actions",
            {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]},
        )

    def focused(self):
        """What the focused element is called."""
        return self.script(
            """const element = document.activeElement;
            return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent.trim()"""
        )

    def tab_to(self, name, most=80):
        """Moves the focus by the Tab key to what has this name."""
        for _ in range(most):
            if self.focused() == name:
                return
            self.press("Tab")
        raise Missing(f"the Tab key does not lead to {name}")
