import ODataModel

/// Properties and what is inside of them.
extension AtomConverter {
    mutating func property(_ tag: XMLStartTag) throws(PayloadError) -> AtomFrame {
        guard AtomNamespace(tag.namespace) == .data else { return .skipped }
        beginMember(tag.name)
        return try value(tag, isNamed: true)
    }

    /// Begins a value whose name, where it has one, is written.
    mutating func value(
        _ tag: XMLStartTag,
        isNamed: Bool = false,
        declared: String? = nil
    ) throws(PayloadError) -> AtomFrame {
        let metadata = AtomNamespace.metadataName
        var value = AtomValue()
        value.type = tag.attribute("type", in: metadata) ?? declared
        // White space around a Boolean means nothing (XML Schema Part 2 § 4.3.6).
        let isNull = tag.attribute("null", in: metadata)?.split(whereSeparator: \.isWhitespace)
        if isNull == ["true"] || isNull == ["1"] { value.shape = .null }
        if !isNamed, frames.isEmpty {
            write(string: tag.name)
            write(":")
        }
        values.append(value)
        return .value
    }

    mutating func valueChild(_ tag: XMLStartTag) throws(PayloadError) -> AtomFrame {
        let namespace = AtomNamespace(tag.namespace)
        let last = values.count - 1
        let isItem = tag.name == "element" && (namespace == .data || namespace == .metadata)
        guard namespace == .data || isItem else {
            guard values[last].type?.hasPrefix("Edm.Geo") != true else {
                throw fault(
                    .unexpectedContent,
                    "values of \(values[last].type ?? "") are not read from Atom;"
                        + " leave the property out with $select"
                )
            }
            values[last].hasForeignChild = true
            return .skipped
        }
        if case .open = values[last].shape { open(isArray: isItem && values[last].type == nil) }
        switch values[last].shape {
        case .array:
            if values[last].childCount > 0 { write(",") }
            values[last].childCount += 1
            breakLines()
            return try value(tag, isNamed: true, declared: values[last].itemType)
        case .object:
            if values[last].childCount > 0 { write(",") }
            values[last].childCount += 1
            breakLines()
            write(string: tag.name)
            write(":")
            return try value(tag, isNamed: true)
        case .open, .null: return .skipped
        }
    }

    /// Decides what a value is whose first child has come.
    private mutating func open(isArray: Bool) {
        let last = values.count - 1
        let isArray = isArray || values[last].itemType != nil
        values[last].shape = isArray ? .array : .object
        values[last].text = []
        write(isArray ? "[" : "{")
    }

    mutating func endValue() throws(PayloadError) {
        guard let value = values.popLast() else { return }
        guard !value.isMixed else {
            throw fault(
                .unexpectedContent,
                "a primitive value with an element inside: leave the property out with $select"
            )
        }
        switch value.shape {
        case .open: withOutput { value.appendLeaf(to: &$0) }
        case .object: write("}")
        case .array: write("]")
        case .null: write("null")
        }
    }
}
