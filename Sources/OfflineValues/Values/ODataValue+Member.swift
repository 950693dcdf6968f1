extension ODataValue {
    /// The member of an object; nil where there is none.
    package subscript(member name: String) -> ODataValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
