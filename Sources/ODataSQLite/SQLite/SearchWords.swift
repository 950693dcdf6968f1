/// The words of a text, as `$search` compares them (OData 4.01 Part 2 § 5.1.8).
///
/// A word is a run of letters and digits of any script with the marks on them, without case; everything else separates words.
struct SearchWords {
    private(set) var words: [String] = []

    init(_ text: String) {
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if Self.belongs(scalar, isInside: !word.isEmpty) {
                word.append(scalar)
            } else if !word.isEmpty {
                words.append(String(word).lowercased())
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word).lowercased()) }
    }

    private static func belongs(_ scalar: Unicode.Scalar, isInside: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            true
        case .nonspacingMark, .spacingMark, .enclosingMark: isInside
        default: false
        }
    }

    /// Whether the words of a phrase stand here one after the other.
    func contains(_ phrase: SearchWords) -> Bool {
        let count = phrase.words.count
        guard count > 0, count <= words.count else { return false }
        return (0...words.count - count).contains { start in
            zip(words[start...], phrase.words).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }
    }
}
