/// What a life is mostly about: faults that need several rare things together are not left to chance.
enum LegalTheme: CaseIterable, Sendable {
    case everything
    /// Entities created here, and what names them before and after the service has given them a key.
    case identity
    /// The same entities changed here and by others.
    case strangers
    case transactions
    case streams

    /// Traits that its lives have more often than not.
    var traits: [LegalTrait] {
        switch self {
        case .everything, .strangers: []
        case .identity: [.keysReplaced, .locationMissing, .locationForeign, .locationRelative]
        case .transactions: [.changeSetsRefused, .referencesRefused, .batchStopsAtErrors]
        case .streams: [.streamsTakeEntityETag, .mediaETagsNotInAnswers]
        }
    }

    /// How often each kind of step comes.
    var weights: [(LegalLife.Step.Kind, Int)] {
        switch self {
        case .everything: Self.all
        case .identity:
            [
                (.createCustomer, 6), (.createOrder, 8), (.createDeep, 5), (.createTag, 3),
                (.createItem, 5), (.update, 6), (.delete, 3), (.link, 4), (.move, 4),
                (.transaction, 2), (.upload, 4), (.uploadFaulty, 5), (.download, 2),
                (.downloadFaulty, 2), (.restart, 1), (.decide, 4), (.undo, 2),
                (.strangerCreate, 1), (.strangerDelete, 1),
            ]
        case .strangers:
            [
                (.createOrder, 2), (.update, 6), (.updateTyped, 3), (.replace, 2), (.delete, 4),
                (.link, 3), (.unlink, 3), (.move, 4), (.upload, 4), (.uploadFaulty, 3),
                (.download, 4), (.downloadFaulty, 3), (.decide, 4), (.undo, 2),
                (.strangerCreate, 2), (.strangerUpdate, 6), (.strangerDelete, 4),
                (.strangerLink, 3), (.strangerMove, 4), (.strangerFilter, 2),
            ]
        case .transactions:
            [
                (.transaction, 12), (.createOrder, 2), (.update, 3), (.delete, 2), (.upload, 4),
                (.uploadFaulty, 5), (.download, 2), (.decide, 4), (.undo, 2),
                (.strangerUpdate, 3), (.strangerDelete, 2), (.restart, 1),
            ]
        case .streams:
            [
                (.setStream, 10), (.createPhoto, 5), (.update, 4), (.delete, 2), (.upload, 4),
                (.uploadFaulty, 5), (.download, 3), (.downloadFaulty, 3), (.decide, 4),
                (.undo, 2), (.strangerStream, 4), (.strangerUpdate, 2), (.strangerDelete, 2),
                (.restart, 1),
            ]
        }
    }

    private static let all: [(LegalLife.Step.Kind, Int)] = [
        (.createCustomer, 3), (.createOrder, 4), (.createDeep, 2), (.createTag, 2),
        (.createItem, 2), (.createPhoto, 1), (.update, 6), (.updateTyped, 3), (.replace, 1),
        (.delete, 3), (.link, 3), (.unlink, 2), (.move, 3), (.setStream, 3), (.transaction, 3),
        (.upload, 5), (.uploadFaulty, 5), (.download, 4), (.downloadFaulty, 3), (.restart, 1),
        (.decide, 3), (.undo, 2), (.strangerCreate, 2), (.strangerUpdate, 4),
        (.strangerDelete, 2), (.strangerLink, 2), (.strangerMove, 2), (.strangerStream, 1),
        (.strangerFilter, 1), (.strangerSelf, 1),
    ]
}
