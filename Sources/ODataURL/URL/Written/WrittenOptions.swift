/// The query options of a request, or those in the parentheses of an expanded or selected property.
public struct WrittenOptions: Sendable {
    /// `$filter`.
    public var filter: WrittenExpression?
    /// `$search`.
    public var search: SearchExpression?
    /// `$orderby`.
    public var orderBy: [WrittenOrderItem] = []
    /// `$top`.
    public var top: Int?
    /// `$skip`.
    public var skip: Int?
    /// `$index`; negative counts from the end.
    public var index: Int?
    /// `$skiptoken`, decoded.
    public var skipToken: String?
    /// `$deltatoken`, or `!deltatoken` of version 2.
    public var deltaToken: String?
    /// `$count`, or `$inlinecount` of versions 1 to 3.
    public var count: Bool?
    /// `$select`; nil where the option is absent.
    public var select: [WrittenSelectItem]?
    /// `$expand`.
    public var expand: [WrittenExpandItem] = []
    /// `$levels`; `Int.max` for `max`.
    public var levels: Int?
    /// `$compute`.
    public var compute: [WrittenComputeItem] = []
    /// `$apply`.
    public var apply: [WrittenTransformation] = []
    /// `$format`.
    public var format: String?
    /// `$schemaversion`.
    public var schemaVersion: String?
    /// `$id`.
    public var id: String?
    /// `$at`, `$from`, `$to` and `$toInclusive` of the extension for temporal data.
    public var temporal: [WrittenTemporalOption] = []
    /// Parameter aliases, `@name=value`.
    public var aliases: [WrittenAlias] = []
    /// Custom options, and parameters of functions given by bare name.
    public var custom: [WrittenCustomOption] = []
    /// Where each system query option's value begins, by canonical name; shows which are present.
    public var places: [(option: SystemQueryOption, offset: Int)] = []

    /// Creates options of which none is given.
    public init() {}

    /// Returns where the value of an option begins; nil where the option is absent.
    public func place(of option: SystemQueryOption) -> Int? {
        places.first { $0.option == option }?.offset
    }
}

/// A system query option, named without the dollar sign.
public enum SystemQueryOption: String, Sendable, CaseIterable {
    /// The system query options (OData 4.01 Part 2 § 5.1).
    case apply, compute, count, deltatoken, expand, filter, format, id, index, inlinecount, levels
    /// The system query options (OData 4.01 Part 2 § 5.1).
    case orderby, schemaversion, search, select, skip, skiptoken, top
    /// Options of the extension for temporal data; they are never written without dollar sign.
    case at, from, to
    /// The end of a period, included (OData Temporal).
    case toInclusive
}

/// An option of the extension for temporal data (OData Temporal ABNF).
public struct WrittenTemporalOption: Sendable {
    /// Which one.
    public var option: SystemQueryOption
    /// The time; nil for `min` and `max`.
    public var value: WrittenExpression?
    /// Whether `max` is written.
    public var isMaximum: Bool
}

/// A position of `$orderby`.
public struct WrittenOrderItem: Sendable {
    /// What is ordered by.
    public var expression: WrittenExpression
    /// Whether `desc` follows.
    public var isDescending: Bool

    package init(expression: WrittenExpression, isDescending: Bool) {
        self.expression = expression
        self.isDescending = isDescending
    }
}

/// An item of `$compute`.
public struct WrittenComputeItem: Sendable {
    /// The value.
    public var expression: WrittenExpression
    /// The name after `as`.
    public var name: String
    /// Where the name stands.
    public var offset: Int

    package init(expression: WrittenExpression, name: String, offset: Int) {
        self.expression = expression
        self.name = name
        self.offset = offset
    }
}

/// A parameter alias and its value.
public struct WrittenAlias: Sendable {
    /// Name without the at sign.
    public var name: String
    /// Where the value begins.
    public var offset: Int
    /// The value.
    public var value: WrittenExpression
    /// The value as written, decoded.
    public var text: String
}

/// A query option that the standard leaves to services.
public struct WrittenCustomOption: Sendable {
    /// Name, decoded.
    public var name: String
    /// Value, decoded; nil without an equals sign.
    public var value: String?
    /// Where the value begins (the name, without value).
    public var offset: Int
}

/// A name in a path of `$select` or `$expand`.
public struct WrittenPathName: Sendable {
    /// The name; qualified for casts and operations, `@…` for annotations, `*`.
    public var name: String
    /// Where it stands.
    public var offset: Int

    package init(name: String, offset: Int) {
        self.name = name
        self.offset = offset
    }
}

/// An item of `$select`.
public struct WrittenSelectItem: Sendable {
    /// The path; its last name may be `*` or `Namespace.*`.
    public var path: [WrittenPathName]
    /// Names of parameters after a function's name.
    public var parameters: [String]?
    /// Options in parentheses.
    public var options: WrittenOptions?

    package init(
        path: [WrittenPathName],
        parameters: [String]? = nil,
        options: WrittenOptions? = nil
    ) {
        self.path = path
        self.parameters = parameters
        self.options = options
    }
}

/// An item of `$expand`.
public struct WrittenExpandItem: Sendable {
    /// What follows the path.
    public enum Suffix: Sendable {
        /// Nothing.
        case none
        /// `/$ref`: references.
        case reference
        /// `/$count`: the number.
        case count
    }

    /// The path; its last name is a navigation property, a cast after it, `*`, `$value` or a stream property.
    public var path: [WrittenPathName]
    /// `/$ref` or `/$count`.
    public var suffix: Suffix
    /// Options in parentheses.
    public var options: WrittenOptions?

    package init(path: [WrittenPathName], suffix: Suffix, options: WrittenOptions? = nil) {
        self.path = path
        self.suffix = suffix
        self.options = options
    }
}
