/// The model of the seam scripts: a key given by the service, a key given by the client, links with and without foreign keys,
/// foreign keys of two parts and such as are parts of keys, contained entities on two levels, streams, a derived type, values that
/// the service computes, sets and singletons that cannot be changed.
enum SeamModel {
    static let document = Array(
        """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        \(orders)
        \(cards)
        \(memos)
        \(container)
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )

    /// The same for a service of version 2: a foreign key, a link without one, the two kinds of times.
    static let oldDocument = Array(
        """
        <?xml version="1.0"?>
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        \(oldTypes)
        \(oldRelations)
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )
}
