"""Reads the answers of this engine's services with clients that others wrote: pyodata (version 2) and python-odata (version 4).

Usage: clients.py EXECUTABLE. Ends with status 1 at the first difference.
"""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

import pyodata
import requests
from odata import ODataService
from pyodata.v2.model import Config

HERE = pathlib.Path(__file__).resolve().parent
ORDERS = """[{"ID":1,"Note":"first","Total":"12.50","Big":"9007199254740993","At":"/Date(1709208000000)/",
"Place":{"City":"Bern","Zip":null}},{"ID":2,"Note":null,"Total":null,"Big":null,"At":null,"Place":{"City":null,"Zip":null}}]"""
ITEMS = '[{"ID":7,"OrderID":1},{"ID":8,"OrderID":2}]'


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, expected {wanted!r}")
    print(f"ok: {what}")


@contextlib.contextmanager
def service(*arguments):
    """Runs `serve` until the block ends, and gives the service root."""
    process = subprocess.Popen([*arguments, "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        for line in process.stdout:
            match = re.search(r"http://127\.0\.0\.1:\d+/", line)
            if match:
                yield match.group(0)
                break
        else:
            sys.exit("the service did not start")
    finally:
        process.terminate()
        process.wait()


def read_version_2(root, note):
    """Reads values, nulls, complex values, dates, links and media as version 2 has them."""
    # Without this it shows nulls as values of its own.
    client = pyodata.Client(root, requests.Session(), config=Config(retain_null=True))
    orders = {order.ID: order for order in client.entity_sets.Orders.get_entities().execute()}
    expect(orders[1].Note, note, "text")
    expect(str(orders[1].Total), "12.50", "decimal")
    expect(orders[1].Big, 9007199254740993, "Int64")
    expect(orders[1].At.year, 2024, "date")
    expect(orders[1].Place["City"], "Bern", "complex value")
    expect(orders[2].Note, None, "null")
    expect(orders[2].At, None, "null date")
    items = orders[1].nav("Items").get_entities().execute()
    expect([item.ID for item in items], [7], "relation that only the principal tells of")
    return client


def check_version_2(executable, directory):
    rows = directory / "rows"
    rows.mkdir()
    (rows / "Orders.json").write_text(ORDERS)
    (rows / "Items.json").write_text(ITEMS)
    metadata = HERE / "shop-v2.xml"
    with service(executable, "serve", "--metadata", str(metadata), "--data", str(rows)) as root:
        client = read_version_2(root, "first")
        created = client.entity_sets.Orders.create_entity().set(ID=3, Note="new").execute()
        expect(created.Note, "new", "created entity")
        client.entity_sets.Orders.update_entity(ID=3).set(Note="changed").execute()
        found = client.entity_sets.Orders.get_entity(3).execute()
        expect(found.Note, "changed", "updated entity")
        media = requests.post(root + "Photos", data=b"bytes", headers={"Content-Type": "image/png"})
        expect(media.status_code, 201, "created media entity")
        control = requests.get(root + "Photos").json()["d"]["results"][0]["__metadata"]
        expect(control["content_type"], "image/png", "content type of media")
        expect(requests.get(control["media_src"]).content, b"bytes", "content of media")
        expect(len(client.entity_sets.Photos.get_entities().execute()), 1, "media entities")

        store = str(directory / "shop.store")
        queries = [part for name in ("Orders", "Items", "Photos") for part in ("--query", f"{name}={name}")]
        for line in (
            ["open", store, "--service", root, *queries, "--streams", "Photos"],
            ["patch", store, "Orders(1)", '{"Note":"local"}'],
            ["put", store, "Photos(1)/$value", "changed", "--content-type", "text/plain"],
        ):
            subprocess.run([executable, *line], check=True)
        with service(executable, "serve", store) as offline:
            client = read_version_2(offline, "local")
            photo = client.entity_sets.Photos.get_entities().execute()[0]
            expect(photo.get_value().execute().content, b"changed", "media with a local change")


def check_version_4(executable, directory):
    rows = directory / "rows4"
    rows.mkdir()
    (rows / "Orders.json").write_text('[{"ID":1,"Note":"first","Total":12.50},{"ID":2}]')
    metadata = HERE / "shop-v4.xml"
    with service(executable, "serve", "--metadata", str(metadata), "--data", str(rows)) as root:
        client = ODataService(root, reflect_entities=True)
        order = client.entities["Orders"]
        found = client.query(order).filter(order.ID == 1).first()
        expect(found.Note, "first", "filtered entity")
        expect([entity.ID for entity in client.query(order).order_by(order.ID.desc())], [2, 1], "order")
        new = order()
        new.ID, new.Note = 3, "new"
        client.save(new)
        expect(client.query(order).get(3).Note, "new", "created entity")


def main():
    executable = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        check_version_2(executable, pathlib.Path(directory))
        check_version_4(executable, pathlib.Path(directory))
    print("all clients agree")


main()
