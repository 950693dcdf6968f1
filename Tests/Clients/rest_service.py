"""A plain REST service of departments and employees, by the standard library alone; prints its port, then serves."""
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

departments = {
    10: {"id": 10, "name": "Sales", "location": {"city": "Ulm"}},
    20: {"id": 20, "name": "Research", "location": {"city": "Graz"}},
}
employees = {10: {1: {"id": 1, "name": "Ada"}}, 20: {}}
versions = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value=None, **headers):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def place(self):
        """The dictionary and the key that the path names."""
        match = re.fullmatch(r"/api/departments(?:/(\d+)(?:/employees(?:/(\d+))?)?)?", self.path.split("?")[0])
        if not match:
            return None, None
        department, employee = (int(text) if text else None for text in match.groups())
        if "/employees" in self.path:
            return employees.get(department), employee
        return departments, department

    def tag(self):
        return '"%d"' % versions.get(self.path, 1)

    def do_GET(self):
        collection, key = self.place()
        if collection is None or key is not None and key not in collection:
            return self.answer(404)
        if key is not None:
            return self.answer(200, collection[key], ETag=self.tag())
        limit, offset = (
            int(found.group(1)) if (found := re.search(name + r"=(\d+)", self.path)) else default
            for name, default in (("limit", 1000), ("offset", 0))
        )
        items = list(collection.values())
        self.answer(200, {"items": items[offset:offset + limit], "hasMore": offset + limit < len(items)})

    def body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def do_POST(self):
        collection, _ = self.place()
        value = self.body()
        key = max([0, *collection]) + 1
        value["id"] = key
        collection[key] = value
        self.answer(201, value, Location=f"{self.path}/{key}")

    def do_PUT(self):
        collection, key = self.place()
        value = self.body()
        match = self.headers.get("If-Match")
        if match not in (None, "*", self.tag()):
            return self.answer(412)
        collection[key] = value
        versions[self.path] = versions.get(self.path, 1) + 1
        self.answer(200, value, ETag=self.tag())

    def do_DELETE(self):
        collection, key = self.place()
        self.answer(204 if collection.pop(key, None) else 404)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
