"""A service with hostile values, a store of it, and the pages of both."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
RIGHT_TO_LEFT = "\u202eקפה \"שלום\" & 'سلام'"
KEY = "a'b\"c<d>&e/f?g#h%20ä"

METADATA = """<?xml version="1.0"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
  <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="Title" Type="Edm.String"/>
    <Property Name="Price" Type="Edm.Decimal" Scale="variable"/>
    <Property Name="Big" Type="Edm.Int64"/>
    <NavigationProperty Name="Lines" Type="Collection(Shop.Line)" Partner="Order"/>
    <NavigationProperty Name="Part" Type="Shop.Part"/>
  </EntityType>
  <EntityType Name="Line"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="Text" Type="Edm.String"/>
    <Property Name="OrderID" Type="Edm.Int32"/>
    <NavigationProperty Name="Order" Type="Shop.Order" Partner="Lines">
      <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty>
  </EntityType>
  <EntityType Name="Part"><Key><PropertyRef Name="Number"/></Key>
    <Property Name="Number" Type="Edm.String" Nullable="false"/>
    <Property Name="Name" Type="Edm.String"/>
  </EntityType>
  <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
  </EntityType>
  <EntityContainer Name="Container">
    <EntitySet Name="Orders" EntityType="Shop.Order">
      <NavigationPropertyBinding Path="Lines" Target="Lines"/>
      <NavigationPropertyBinding Path="Part" Target="Parts"/></EntitySet>
    <EntitySet Name="Lines" EntityType="Shop.Line">
      <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
    <EntitySet Name="Parts" EntityType="Shop.Part"/>
    <EntitySet Name="Photos" EntityType="Shop.Photo"/>
  </EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>
"""

OLD_METADATA = """<?xml version="1.0"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
 m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
  <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="Title" Type="Edm.String"/>
    <NavigationProperty Name="Lines" Relationship="Shop.OrderLines" FromRole="Order" ToRole="Lines"/>
  </EntityType>
  <EntityType Name="Line"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
    <Property Name="OrderID" Type="Edm.Int32"/>
  </EntityType>
  <Association Name="OrderLines"><End Type="Shop.Order" Multiplicity="0..1" Role="Order"/>
    <End Type="Shop.Line" Multiplicity="*" Role="Lines"/>
    <ReferentialConstraint><Principal Role="Order"><PropertyRef Name="ID"/></Principal>
      <Dependent Role="Lines"><PropertyRef Name="OrderID"/></Dependent></ReferentialConstraint></Association>
  <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
    <EntitySet Name="Orders" EntityType="Shop.Order"/><EntitySet Name="Lines" EntityType="Shop.Line"/>
    <AssociationSet Name="OrderLinesSet" Association="Shop.OrderLines">
      <End Role="Order" EntitySet="Orders"/><End Role="Lines" EntitySet="Lines"/></AssociationSet>
  </EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>
"""


class Scene:
    """A folder with a service, a store and what runs over them."""

    def __init__(self, tool):
        self.tool = os.path.abspath(tool)
        self.folder = tempfile.mkdtemp(prefix="page-")
        self.processes = []
        self.write("shop.xml", METADATA)
        self.write("old.xml", OLD_METADATA)
        os.mkdir(self.path("rows"))
        orders = [
            {"ID": 1, "Title": HOSTILE, "Price": 12.345678901234567890, "Big": 9007199254740993},
            {"ID": 2, "Title": RIGHT_TO_LEFT}, {"ID": 3, "Title": "plain"},
        ] + [{"ID": number, "Title": f"order {number}"} for number in range(4, 131)]
        self.rows("Orders", orders)
        self.rows("Lines", [{"ID": 1, "Text": "of the first", "OrderID": 1}, {"ID": 2, "Text": "", "OrderID": 1}])
        self.rows("Parts", [{"Number": KEY, "Name": HOSTILE}, {"Number": "P-2", "Name": "bolt"}])
        os.mkdir(self.path("old-rows"))
        self.rows("Orders", [{"ID": 1, "Title": HOSTILE}, {"ID": 2, "Title": "two"}], "old-rows")
        self.rows("Lines", [{"ID": 7, "OrderID": 1}], "old-rows")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def rows(self, name, values, folder="rows"):
        self.write(os.path.join(folder, f"{name}.json"), json.dumps({"value": values}))

    def run(self, *words, status=0):
        outcome = subprocess.run([self.tool, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        assert outcome.returncode == status, f"{words}: {outcome.returncode} {outcome.stdout}{outcome.stderr}"
        return outcome.stdout

    def serve(self, *words):
        """Starts a service and returns its root."""
        process = subprocess.Popen(
            [self.tool, "serve", *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.processes.append(process)
        line = process.stdout.readline()
        return re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+/)\n", line)[1]

    def open_store(self, service, name):
        """A store with changes that wait: an edit, a creation, and one that the service will refuse."""
        queries = [word for name_ in ("Orders", "Lines", "Parts", "Photos") for word in ("--query", f"{name_}={name_}")]
        self.run("open", name, "--service", service, *queries)
        self.run("patch", name, "Orders(3)", '{"Title": "mine"}')
        self.run("patch", name, "Orders(4)", '{"Title": "four"}')
        self.run("post", name, "Orders", '{"ID": 900, "Title": "new here"}')
        self.run("patch", name, "Parts('P-2')", '{"Name": "nut"}')

    def send(self, method, url, body=None, **headers):
        """A request without a browser; answers status, header fields and text."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        if data is not None and not request.has_header("Content-type"):
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def close(self):
        for process in self.processes:
            process.terminate()
        statuses = [process.wait() for process in self.processes]
        shutil.rmtree(self.folder)
        return statuses


def part_url():
    """The address of the part with the hostile key."""
    return "Parts('" + urllib.parse.quote(KEY.replace("'", "''"), safe="") + "')"
