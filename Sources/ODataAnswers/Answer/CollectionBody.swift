import ODataValues
package import ODataTables

/// Writes the object around a collection (OData JSON 4.01 §§ 4.5, 13).
package struct CollectionBody {
    private var writer = JSONWriter()
    private let format: AnswerFormat

    package init(_ format: AnswerFormat) {
        self.format = format
        writer.beginObject()
        guard format.isVerbose else { return }
        writer.name("d")
        writer.beginObject()
    }

    package mutating func context(_ url: String) {
        guard format.metadata != .none, !format.isVerbose else { return }
        writer.name("@odata.context")
        writer.string(url)
    }

    /// The number of all matches; a string where the client cannot read large numbers.
    package mutating func count(_ count: Int64) {
        if format.isVerbose {
            writer.name("__count")
            return writer.string(String(count))
        }
        writer.count(count, format)
    }

    /// The items, separated by commas.
    package mutating func value(_ items: [UInt8]) {
        writer.name(format.isVerbose ? "results" : "value")
        writer.rawArray(items)
    }

    package mutating func nextLink(_ url: String) {
        writer.name(format.isVerbose ? "__next" : "@odata.nextLink")
        writer.string(url)
    }

    package mutating func deltaLink(_ url: String) {
        writer.name("@odata.deltaLink")
        writer.string(url)
    }

    /// Ends the object and gives its bytes away.
    package mutating func finished() -> [UInt8] {
        if format.isVerbose { writer.endObject() }
        writer.endObject()
        return writer.takeBytes()
    }
}

/// Puts the context into the object of one entity.
package struct EntityJSON {
    package private(set) var bytes: [UInt8] = []
    private let format: AnswerFormat

    package init(_ format: AnswerFormat) {
        self.format = format
    }

    package mutating func context(_ url: String) {
        guard format.metadata != .none, !format.isVerbose else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("@odata.context")
        writer.string(url)
        bytes = writer.bytes
    }

    /// Adds the entity, an object of JSON.
    package mutating func entity(_ object: [UInt8]) {
        if format.isVerbose {
            bytes = Array("{\"d\":".utf8) + object + Array("}".utf8)
            return
        }
        guard !bytes.isEmpty else {
            bytes = object
            return
        }
        let members = object.dropFirst()
        if members.first != UInt8(ascii: "}") { bytes.append(UInt8(ascii: ",")) }
        bytes += members
    }
}

extension JSONWriter {
    /// Writes the number of items that there are; a string where the client cannot read large numbers (OData JSON 4.01 § 3.2).
    mutating func count(_ count: Int64, _ format: AnswerFormat) {
        name("@odata.count")
        if format.isIEEE754Compatible {
            string(String(count))
        } else {
            integer(count)
        }
    }
}
