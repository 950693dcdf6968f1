/// What the text of an element says.
enum AtomText {
    case id
    case count
    case reference
    case nextReferences
    case errorCode
    case errorMessage
}
