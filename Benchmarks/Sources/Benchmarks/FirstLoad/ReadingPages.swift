/// The service of the first-load benchmark as files: service metadata and pages of rows, made beforehand.
///
/// An entity has 15 properties of mixed types, some null; a page ends with the link to the next one.
struct ReadingPages {
    /// What the key is.
    enum Keys: String {
        /// `Edm.Int64`, ascending.
        case integer
        /// `Edm.Guid`, in random order.
        case guid
    }

    /// Number of entities in all.
    let rows: Int
    /// Number of entities of a page.
    let pageSize: Int
    /// What the key is.
    let keys: Keys
    /// Number of entities of the second set, `Archive`.
    let archivedRows: Int

    /// Number of pages of the first set.
    var pages: Int { pages(rows) }

    /// Takes the size from the options of a benchmark.
    init(_ options: Options) throws {
        let name = options.text("keys", default: "integer")
        guard let keys = Keys(rawValue: name) else {
            throw BenchmarkError("--keys wants integer or guid, not '\(name)'")
        }
        self.keys = keys
        rows = try options.number("rows", default: 100_000)
        pageSize = try options.number("page-size", default: 5_000)
        archivedRows = try options.count("archive")
    }

    /// Writes the files into a directory, with the index that the server reads; returns their size.
    func write(to directory: String) throws -> Int {
        let json = "application/json;odata.metadata=minimal"
        try Workspace.write(Array(metadata.utf8), to: directory + "/metadata.xml")
        try Workspace.write(Array(serviceDocument.utf8), to: directory + "/service.json")
        var index = "$metadata\tmetadata.xml\tapplication/xml\n"
        // The server's form of an empty path.
        index += "/\tservice.json\t\(json)\n"
        var size = 0
        for (set, rows) in [("Readings", rows), ("Archive", archivedRows)] where rows > 0 {
            for page in 0..<pages(rows) {
                let bytes = self.page(page, of: set, rows)
                size += bytes.count
                let file = "\(set)-\(page).json"
                try Workspace.write(bytes, to: directory + "/" + file)
                index += "\(target(ofPage: page, of: set))\t\(file)\t\(json)\n"
            }
        }
        try Workspace.write(Array(index.utf8), to: directory + "/index.tsv")
        return size
    }

    /// Number of pages.
    private func pages(_ rows: Int) -> Int { (rows + pageSize - 1) / pageSize }

    private func target(ofPage page: Int, of set: String) -> String {
        page == 0 ? set : "\(set)?$skiptoken=\(page)"
    }

    /// A page as JSON; the last one with a delta link, where there is one.
    func page(
        _ page: Int,
        of set: String,
        _ rows: Int,
        deltaLink: String? = nil
    ) -> [UInt8] {
        let range = page * pageSize..<min(rows, (page + 1) * pageSize)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count * 480)
        bytes.append(contentsOf: #"{"@odata.context":"$metadata#\#(set)","value":["#.utf8)
        for row in range {
            if row > range.lowerBound { bytes.append(UInt8(ascii: ",")) }
            ReadingRow(row, keys: keys).write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        if page + 1 < pages(rows) {
            let next = target(ofPage: page + 1, of: set)
            bytes.append(contentsOf: #","@odata.nextLink":"\#(next)""#.utf8)
        } else if let deltaLink {
            bytes.append(contentsOf: #","@odata.deltaLink":"\#(deltaLink)""#.utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private var serviceDocument: String {
        """
        {"@odata.context":"$metadata","value":[{"name":"Readings","kind":"EntitySet","url":"Readings"}]}
        """
    }

    /// The service's metadata document.
    var metadata: String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:DataServices>
            <Schema Namespace="Bench" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Reading">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="\(keys == .guid ? "Edm.Guid" : "Edm.Int64")" Nullable="false"/>
                <Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="12"/>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="60"/>
                <Property Name="Comment" Type="Edm.String"/>
                <Property Name="City" Type="Edm.String" MaxLength="30"/>
                <Property Name="State" Type="Edm.String" Nullable="false" MaxLength="8"/>
                <Property Name="Count" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Amount" Type="Edm.Decimal" Nullable="false" Precision="12" Scale="2"/>
                <Property Name="Factor" Type="Edm.Double" Nullable="false"/>
                <Property Name="Temperature" Type="Edm.Double"/>
                <Property Name="IsValid" Type="Edm.Boolean" Nullable="false"/>
                <Property Name="CreatedAt" Type="Edm.DateTimeOffset" Nullable="false" Precision="3"/>
                <Property Name="ChangedAt" Type="Edm.DateTimeOffset" Precision="3"/>
                <Property Name="Reference" Type="Edm.Guid" Nullable="false"/>
                <Property Name="Day" Type="Edm.Date" Nullable="false"/>
              </EntityType>
              <EntityContainer Name="Container">
                <EntitySet Name="Readings" EntityType="Bench.Reading"/>
                <EntitySet Name="Archive" EntityType="Bench.Reading"/>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>

        """
    }
}
