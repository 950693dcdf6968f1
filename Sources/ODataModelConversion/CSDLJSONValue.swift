import ODataValues

/// A JSON value of a metadata document; members keep their order.
indirect enum CSDLJSONValue {
    /// A string.
    case text(String)
    /// A number, a Boolean or null, as it is written.
    case literal(String)
    case array([CSDLJSONValue])
    case object(Members)

    /// The members of an object.
    struct Members {
        private(set) var list: [(name: String, value: CSDLJSONValue)] = []
        private var places: [String: Int] = [:]

        /// Sets a member; one of the same name is replaced.
        subscript(name: String) -> CSDLJSONValue? {
            get { places[name].map { list[$0].value } }
            set {
                guard let newValue else { return }
                if let place = places[name] {
                    list[place].value = newValue
                } else {
                    places[name] = list.count
                    list.append((name, newValue))
                }
            }
        }

        /// Adds what an element declares under its name; of two of one name the first counts.
        mutating func declare(_ name: String, _ value: CSDLJSONValue) {
            if !has(name) { self[name] = value }
        }

        /// Whether there is a member of a name.
        func has(_ name: String) -> Bool { places[name] != nil }
    }

    /// Writes the value.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.string(text)
        case .literal(let text): writer.raw(Array(text.utf8).span)
        case .array(let items):
            writer.beginArray()
            for item in items { item.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for (name, value) in members.list {
                writer.name(name)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
