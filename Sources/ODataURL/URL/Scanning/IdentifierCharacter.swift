/// Which characters names of the model may hold (OData CSDL 4.01 § 15.2).
package enum IdentifierCharacter {
    /// Returns whether a character may stand in an identifier, or begin one.
    package static func isAllowed(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .letterNumber:
            true
        case .connectorPunctuation: !first || scalar == "_"
        case .decimalNumber, .nonspacingMark, .spacingMark, .format: !first
        default: false
        }
    }
}
