import CommandSupport
import ODataProtocol
import OfflineOData

/// The sets of a store for people and for scripts.
enum SetListing {
    // MARK: Text

    /// One line for each set.
    static func lines(_ sets: [OfflineODataSetDescription]) -> [String] {
        var table = TextTable([
            ("set", .left), ("entities", .right), ("type", .left), ("key", .left),
        ])
        for set in sets {
            table.add([
                set.name, set.isBuiltIn ? "-" : Words.number(set.entityCount), set.type,
                set.key.joined(separator: ", "),
            ])
        }
        return table.lines()
    }

    /// Everything about one set.
    static func lines(_ set: OfflineODataSetDescription) -> [String] {
        var lines = [
            "\(set.name)  \(set.kind == .singleton ? "singleton" : "entity set") of \(set.type)"
                + (set.hasStream ? ", media entities" : "")
        ]
        if !set.derivedTypes.isEmpty {
            lines.append("derived types  " + set.derivedTypes.joined(separator: ", "))
        }
        if !set.isBuiltIn {
            lines.append(
                Words.amount(set.entityCount, of: "stored entity", plural: "stored entities")
            )
        }
        lines += [""] + properties(set).lines()
        if !set.navigationProperties.isEmpty { lines += [""] + relations(set).lines() }
        return lines
    }

    private static func properties(_ set: OfflineODataSetDescription) -> TextTable {
        var table = TextTable([
            ("property", .left), ("type", .left), ("null", .left), ("length", .right),
            ("remarks", .left),
        ])
        for property in set.properties {
            table.add([
                property.name, property.type, property.isNullable ? "yes" : "no",
                property.maxLength.map(String.init) ?? "",
                remarks(property, in: set).joined(separator: "; "),
            ])
        }
        return table
    }

    private static func remarks(
        _ property: OfflineODataSetDescription.Property,
        in set: OfflineODataSetDescription
    ) -> [String] {
        var remarks: [String] = property.isKey ? ["key"] : []
        if let precision = property.precision { remarks.append("precision \(precision)") }
        if let scale = property.scale { remarks.append("scale \(scale)") }
        if !property.members.isEmpty { remarks.append(property.members.joined(separator: ", ")) }
        if set.derivedTypes.contains(property.declaringType) {
            remarks.append("of \(property.declaringType)")
        }
        return remarks
    }

    private static func relations(_ set: OfflineODataSetDescription) -> TextTable {
        var table = TextTable([
            ("relation", .left), ("type", .left), ("null", .left), ("leads to", .left),
            ("back", .left),
        ])
        for property in set.navigationProperties {
            let isMany = property.type.hasPrefix("Collection(")
            table.add([
                property.name, property.type, isMany ? "" : property.isNullable ? "yes" : "no",
                property.containsTarget ? "contained" : property.target ?? "",
                property.partner ?? "",
            ])
        }
        return table
    }

    // MARK: JSON

    /// The members are a promise to scripts.
    static func json(_ sets: [OfflineODataSetDescription]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for set in sets { write(set, to: &writer) }
        writer.endArray()
        return writer.bytes
    }

    static func json(_ set: OfflineODataSetDescription) -> [UInt8] {
        var writer = JSONWriter()
        write(set, to: &writer)
        return writer.bytes
    }

    private static func write(_ set: OfflineODataSetDescription, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", value: set.name)
        writer.member("kind", value: set.kind.rawValue)
        writer.member("type", value: set.type)
        writer.member("derivedTypes", values: set.derivedTypes)
        writer.member("builtIn", value: set.isBuiltIn)
        writer.member("media", value: set.hasStream)
        writer.member("key", values: set.key)
        writer.member("rows", value: set.entityCount)
        writer.name("properties")
        writer.beginArray()
        for property in set.properties { write(property, to: &writer) }
        writer.endArray()
        writer.name("navigationProperties")
        writer.beginArray()
        for property in set.navigationProperties { write(property, to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    private static func write(
        _ property: OfflineODataSetDescription.Property,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("name", value: property.name)
        writer.member("type", value: property.type)
        writer.member("nullable", value: property.isNullable)
        writer.optional("maxLength", value: property.maxLength)
        writer.optional("precision", value: property.precision)
        writer.optional("scale", value: property.scale)
        if !property.members.isEmpty { writer.member("members", values: property.members) }
        writer.member("declaredBy", value: property.declaringType)
        writer.endObject()
    }

    private static func write(
        _ property: OfflineODataSetDescription.NavigationProperty,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("name", value: property.name)
        writer.member("type", value: property.type)
        writer.member("nullable", value: property.isNullable)
        writer.optional("target", value: property.target)
        writer.member("contained", value: property.containsTarget)
        writer.optional("partner", value: property.partner)
        writer.member("declaredBy", value: property.declaringType)
        writer.endObject()
    }
}
