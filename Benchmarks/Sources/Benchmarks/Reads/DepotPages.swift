/// A service of three levels as files: depots, the tours of each, the stops of each tour.
struct DepotPages {
    /// Number of entities in all, about.
    let rows: Int

    private static let toursOfDepot = 10
    private static let stopsOfTour = 9
    private static let pageSize = 5_000

    /// Number of depots.
    var depots: Int { max(100, rows / (1 + Self.toursOfDepot * (1 + Self.stopsOfTour))) }

    /// Writes the files into a directory, with the index that the server reads.
    func write(to directory: String) throws {
        let json = "application/json;odata.metadata=minimal"
        try Workspace.write(Array(metadata.utf8), to: directory + "/metadata.xml")
        let service = """
            {"@odata.context":"$metadata","value":[{"name":"Depots","kind":"EntitySet","url":"Depots"}]}
            """
        try Workspace.write(Array(service.utf8), to: directory + "/service.json")
        var index = "$metadata\tmetadata.xml\tapplication/xml\n/\tservice.json\t\(json)\n"
        for set in sets {
            for page in 0..<set.pages {
                let name = "\(set.name)-\(page).json"
                try Workspace.write(set.page(page), to: directory + "/" + name)
                index += "\(set.target(page))\t\(name)\t\(json)\n"
            }
        }
        try Workspace.write(Array(index.utf8), to: directory + "/index.tsv")
    }

    /// Names of the sets.
    static let names = ["Depots", "Tours", "Stops"]

    private var sets: [Pages] {
        let tours = depots * Self.toursOfDepot
        return [
            Pages(name: "Depots", count: depots) {
                #"{"ID":\#($0),"Name":"Depot \#($0)","City":"Wellington"}"#
            },
            Pages(name: "Tours", count: tours) {
                let depot = $0 / Self.toursOfDepot
                return
                    #"{"ID":\#($0),"DepotID":\#(depot),"Driver":"Driver \#($0 % 977)","Length":\#($0 % 300)}"#
            },
            Pages(name: "Stops", count: tours * Self.stopsOfTour) {
                let tour = $0 / Self.stopsOfTour
                return
                    #"{"ID":\#($0),"TourID":\#(tour),"Street":"Street \#($0 % 7_919)","Weight":\#($0 % 61)}"#
            },
        ]
    }

    /// The pages of one set.
    private struct Pages {
        let name: String
        let count: Int
        let entity: (Int) -> String

        var pages: Int { (count + pageSize - 1) / pageSize }

        func target(_ page: Int) -> String { page == 0 ? name : "\(name)?$skiptoken=\(page)" }

        func page(_ page: Int) -> [UInt8] {
            let range = page * pageSize..<min(count, (page + 1) * pageSize)
            let items = range.map(entity).joined(separator: ",")
            let next = page + 1 < pages ? #","@odata.nextLink":"\#(target(page + 1))""# : ""
            return Array(
                #"{"@odata.context":"$metadata#\#(name)","value":[\#(items)]\#(next)}"#.utf8
            )
        }
    }

    private var metadata: String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:DataServices>
            <Schema Namespace="Bench" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Depot">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
                <Property Name="City" Type="Edm.String"/>
                <NavigationProperty Name="Tours" Type="Collection(Bench.Tour)" Partner="Depot"/>
              </EntityType>
              <EntityType Name="Tour">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="DepotID" Type="Edm.Int32"/>
                <Property Name="Driver" Type="Edm.String"/>
                <Property Name="Length" Type="Edm.Int32"/>
                <NavigationProperty Name="Depot" Type="Bench.Depot" Partner="Tours">
                  <ReferentialConstraint Property="DepotID" ReferencedProperty="ID"/>
                </NavigationProperty>
                <NavigationProperty Name="Stops" Type="Collection(Bench.Stop)" Partner="Tour"/>
              </EntityType>
              <EntityType Name="Stop">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="TourID" Type="Edm.Int32"/>
                <Property Name="Street" Type="Edm.String"/>
                <Property Name="Weight" Type="Edm.Int32"/>
                <NavigationProperty Name="Tour" Type="Bench.Tour" Partner="Stops">
                  <ReferentialConstraint Property="TourID" ReferencedProperty="ID"/>
                </NavigationProperty>
              </EntityType>
              <EntityContainer Name="Container">
                <EntitySet Name="Depots" EntityType="Bench.Depot">
                  <NavigationPropertyBinding Path="Tours" Target="Tours"/>
                </EntitySet>
                <EntitySet Name="Tours" EntityType="Bench.Tour">
                  <NavigationPropertyBinding Path="Depot" Target="Depots"/>
                  <NavigationPropertyBinding Path="Stops" Target="Stops"/>
                </EntitySet>
                <EntitySet Name="Stops" EntityType="Bench.Stop">
                  <NavigationPropertyBinding Path="Tour" Target="Tours"/>
                </EntitySet>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>

        """
    }
}
