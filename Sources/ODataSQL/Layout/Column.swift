package import ODataValues
import ODataSQLite
package import ODataModel

/// A column that holds a property, or a leaf of a complex one.
package struct Column: Sendable {
    /// How the column holds the property.
    package enum Kind: Sendable, Equatable {
        /// A primitive value in its form.
        case scalar(ScalarForm)
        /// JSON text: collections, complex values that are not flattened.
        case json
        /// 1 where a flattened complex value is an object, null where it is null.
        case presence
    }

    // The tag is part of the name's key: a property that is held in another way after an upgrade gets a new column.
    /// Name in SQL: the path, with a suffix where names would meet.
    package var name: String
    /// Path of the property in the entity.
    package var path: [String]
    /// The type of the hierarchy that declares the property.
    package var declaringType: StructuredTypeID
    /// How it is held.
    package var kind: Kind
    /// Whether null is a value of the property.
    package var isNullable: Bool
    /// Position in the key, 0-based; nil for other properties.
    package var keyIndex: Int?

    /// The declared SQL type: one of four, so that SQLite changes no value.
    package var affinity: String {
        switch kind {
        case .json: "TEXT"
        case .presence: "INTEGER"
        case .scalar(let form): form.affinity
        }
    }

    /// The quoted name.
    package var sql: String { name.sqlQuoted }

    /// The form of a primitive value.
    package var form: ScalarForm? {
        if case .scalar(let form) = kind { form } else { nil }
    }
}

extension Column.Kind {
    /// Names the storing form; two kinds with one tag store a value alike.
    var tag: String {
        switch self {
        case .json: "json"
        case .presence: "presence"
        case .scalar(.scaledDecimal(let scale)): "decimal\(scale)"
        case .scalar(.integer), .scalar(.boolean), .scalar(.enumeration): "integer"
        case .scalar(.single), .scalar(.double): "real"
        // Written out: they stand in files, and to ask for the names of cases costs more than the rest of a column.
        case .scalar(.decimalText): "decimalText"
        case .scalar(.string): "string"
        case .scalar(.guid): "guid"
        case .scalar(.binary): "binary"
        case .scalar(.date): "date"
        case .scalar(.timeOfDay): "timeOfDay"
        case .scalar(.duration): "duration"
        case .scalar(.dateTimeOffset): "dateTimeOffset"
        case .scalar(.json): "json"
        }
    }
}

extension ScalarForm {
    /// The SQL type of columns that hold the form.
    package var affinity: String {
        switch self {
        case .boolean, .integer, .scaledDecimal, .date, .timeOfDay, .duration, .dateTimeOffset,
            .enumeration:
            "INTEGER"
        case .single, .double: "REAL"
        case .decimalText, .string, .json: "TEXT"
        case .guid, .binary: "BLOB"
        }
    }
}

/// Values that stand for a value not known here.
///
/// A value that we do not have is stored in a storage class that its column never has otherwise: a blob in INTEGER, REAL and TEXT
/// columns, text in BLOB columns. Empty, it is simply unknown (no query brought it, or the column is younger than the row). As the
/// 16 bytes of a local id, it is the key that the service will give to that created entity; foreign keys hold the same bytes, so
/// that joins work before the key is known. Such values are left out of answers and never sent.
package enum UnknownValue {
    /// The default of columns added later.
    static func sqlDefault(for affinity: String) -> String {
        affinity == "BLOB" ? "''" : "x''"
    }

    /// The scalar that stands for an unknown value in a column.
    package static func scalar(in column: Column) -> Scalar {
        column.affinity == "BLOB" ? .text("") : .blob([])
    }

    /// The scalar that stands for a key not given yet by the service.
    package static func provisional(_ localID: LocalID, in column: Column) -> Scalar {
        column.affinity == "BLOB" ? .text(localID.text) : .blob(localID.bytes)
    }

    /// The SQL that says whether a column holds what stands for a key not given yet by the service.
    fileprivate static func isProvisional(_ column: Column) -> String {
        let storage = column.affinity == "BLOB" ? "text" : "blob"
        return "typeof(\(column.sql)) = '\(storage)' AND length(\(column.sql)) > 0"
    }

    /// Whether a value stands for one not known.
    package static func isUnknown(_ scalar: Scalar, in column: Column) -> Bool {
        switch (scalar, column.affinity == "BLOB") {
        case (.blob, false), (.text, true): true
        default: false
        }
    }
}

extension Column {
    /// The SQL that says whether the column holds what stands for a key not given yet by the service.
    package var isAwaitedKey: String { UnknownValue.isProvisional(self) }
}

// MARK: - Growing

extension Column {
    /// The declaration of a column that is added to a table with rows: they do not know its value.
    package var addedDeclaration: String {
        "\(sql) \(affinity) DEFAULT \(UnknownValue.sqlDefault(for: affinity))"
    }

    /// The SQL that turns this column's values into the form of its successor; nil where they cannot be.
    package func conversion(to successor: Column) -> String? {
        switch (kind, successor.kind) {
        case (.scalar(.scaledDecimal(let old)), .scalar(.scaledDecimal(let new))) where new >= old:
            "\(sql) * 1" + String(repeating: "0", count: new - old)
        case (.scalar(.scaledDecimal(let old)), .scalar(.decimalText)):
            "odata_decimal(\(sql), \(old))"
        case let (old, new) where old.tag == new.tag: sql
        default: nil
        }
    }

    /// Numbers of this column that can be converted without leaving the integers.
    package func convertibleRange(to successor: Column) -> Int64 {
        guard
            case (.scalar(.scaledDecimal(let old)), .scalar(.scaledDecimal(let new))) = (
                kind, successor.kind
            ),
            new > old
        else { return .max }
        return (0..<(new - old)).reduce(Int64.max) { limit, _ in limit / 10 }
    }
}
