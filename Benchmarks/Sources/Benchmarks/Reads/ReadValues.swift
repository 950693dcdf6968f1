import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Folds every value of entities into a number, as the yardstick does, so that none is left unread.
struct ReadValues {
    /// Whether texts are made strings; else their bytes are looked at where they are, as the yardstick does.
    let makesStrings: Bool
    private(set) var rows = 0
    private(set) var checksum: UInt64 = 0

    init(makesStrings: Bool = false) {
        self.makesStrings = makesStrings
    }

    /// How the value of a property is read.
    enum Kind {
        case integer, double, boolean, text, date, guid
    }

    static let reading: [Kind] = [
        .integer, .text, .text, .text, .text, .text, .integer, .double, .double, .double, .boolean,
        .date, .date, .guid, .date,
    ]
    static let depot: [Kind] = [.integer, .text, .text]
    static let tour: [Kind] = [.integer, .integer, .text, .integer]

    /// Reads the properties of an entity, the first of which is its key.
    mutating func read(_ entity: EntityValue, _ kinds: [Kind]) {
        rows += 1
        for place in kinds.indices {
            switch kinds[place] {
            case .integer: fold(entity.integer(at: place).map { UInt64(bitPattern: $0) })
            case .double: fold(entity.double(at: place)?.bitPattern)
            case .boolean: fold(entity.boolean(at: place).map { $0 ? 1 : 0 })
            case .text where makesStrings:
                fold(entity.string(at: place).map { UInt64($0.utf8.count) })
            case .text:
                fold(
                    entity.withUTF8(at: place) { bytes in
                        UInt64(bytes.count) ^ UInt64(bytes.first ?? 0) ^ UInt64(bytes.last ?? 0)
                            << 8
                    }
                )
            case .date: fold(entity.date(at: place)?.timeIntervalSinceReferenceDate.bitPattern)
            case .guid: fold(entity.uuid(at: place).map { UInt64($0.uuid.0) })
            }
        }
    }

    private mutating func fold(_ value: UInt64?) {
        checksum = checksum &* 31 &+ (value ?? 0)
    }
}
