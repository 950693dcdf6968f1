import ODataPayload

/// Plain entities of a recording that one statement inserts, decoded row by row.
///
///     words   | begin | call | value | call | … | end | begin | call | …
///                                                 ^ next word
///     cells   | $id | $type | … | slot 0 | slot 1 | …      the present row, a cell for each column
///
/// A column that a row says nothing of has its standing value. Texts and blobs are not copied: their cells hold the addresses
/// that they have in the recording.
@unsafe
struct RowRun {
    /// Values of the present row.
    private let cells: UnsafeMutablePointer<RowCell>
    /// Values of columns that a row leaves out.
    let standing: UnsafeMutablePointer<RowCell>
    let columnCount: Int
    private let firstSlot: Int
    private let etag: Int
    private let exact: Int
    private var exactTexts: ExactTexts
    private var nextWord: UnsafePointer<UInt64>?
    private var nextByte: UnsafePointer<UInt8>?
    private var nextID: Int64 = 0
    private var undecodedCount = 0
    /// Whether the last row has been read.
    private(set) var isAtEnd = true

    init(_ columns: RecordedRowColumns) {
        let columnCount = columns.count
        unsafe self.columnCount = columnCount
        unsafe firstSlot = columns.firstSlot
        unsafe etag = columns.etag
        unsafe exact = columns.exact
        unsafe exactTexts = unsafe ExactTexts(columns.slotNames)
        unsafe cells = .allocate(capacity: columnCount)
        unsafe standing = .allocate(capacity: columnCount)
        unsafe cells.initialize(repeating: .null, count: columnCount)
        unsafe standing.initialize(repeating: .null, count: columnCount)
    }

    /// Gives the memory back; nothing is read afterwards.
    func deallocate() {
        unsafe cells.deallocate()
        unsafe standing.deallocate()
        unsafe exactTexts.deallocate()
    }

    /// Takes over entities; the memory stays where it is until the statement is done.
    ///
    /// - Parameters:
    ///   - words: Calls of the first entity, from its beginning on.
    ///   - bytes: Texts and blobs of all of them.
    ///   - firstID: The row id of the first entity; the others follow by one.
    mutating func set(
        words: UnsafePointer<UInt64>?,
        bytes: UnsafePointer<UInt8>?,
        count: Int,
        firstID: Int64
    ) {
        unsafe nextWord = unsafe words
        unsafe nextByte = unsafe bytes
        unsafe undecodedCount = count
        unsafe nextID = firstID
    }

    /// The value of a column of the present row.
    func cell(_ column: Int) -> RowCell {
        precondition(
            unsafe column >= 0 && column < columnCount,
            "the row does not have the column asked for"
        )
        return unsafe cells[column]
    }

    /// Goes to the next row.
    mutating func advance() {
        guard unsafe undecodedCount > 0, var word = unsafe nextWord else {
            unsafe isAtEnd = true
            return
        }
        unsafe isAtEnd = false
        unsafe undecodedCount -= 1
        unsafe cells.update(from: standing, count: columnCount)
        unsafe cells[0] = RowCell(nextID)
        unsafe exactTexts.reset()
        unsafe nextID += 1
        let end = unsafe word + RecordedCall(word.pointee).length
        unsafe word += 1
        while unsafe word < end { unsafe take(&word) }
        unsafe nextWord = unsafe end + 1
    }

    /// Puts one value into its cell.
    @inline(__always)
    private mutating func take(_ word: inout UnsafePointer<UInt64>) {
        let call = unsafe RecordedCall(word.pointee)
        unsafe word += 1
        let column = unsafe call.name == .etag ? etag : firstSlot + call.number
        precondition(unsafe column < columnCount, "a recorded slot has no column in the row")
        switch call.name {
        case .integer: unsafe cells[column] = value(.integer, &word)
        case .real: unsafe cells[column] = value(.real, &word)
        case .null: unsafe cells[column] = .null
        case .text, .etag: unsafe cells[column] = bytes(.text, call.length)
        case .blob: unsafe cells[column] = bytes(.blob, call.length)
        case .exact: unsafe cells[exact] = exactTexts.add(text(call.length), slot: call.number)
        default: preconditionFailure("a plain entity holds values only")
        }
    }

    @inline(__always)
    private func value(_ kind: RowCell.Kind, _ word: inout UnsafePointer<UInt64>) -> RowCell {
        defer { unsafe word += 1 }
        return unsafe RowCell(kind: kind, length: 0, word: word.pointee)
    }

    @inline(__always)
    private mutating func bytes(_ kind: RowCell.Kind, _ length: Int) -> RowCell {
        guard let start = unsafe nextByte else {
            return unsafe RowCell(kind, at: Self.noBytes, length: 0)
        }
        unsafe nextByte = unsafe start + length
        return unsafe RowCell(kind, at: start, length: length)
    }

    private mutating func text(_ length: Int) -> UnsafeBufferPointer<UInt8> {
        defer { unsafe nextByte = unsafe nextByte.map { unsafe $0 + length } }
        return unsafe UnsafeBufferPointer(start: nextByte, count: nextByte == nil ? 0 : length)
    }

    /// The address of empty texts, good for as long as the program runs: SQLite takes a text without an address for null.
    private nonisolated(unsafe) static let noBytes: UnsafePointer<UInt8> = {
        let place = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        unsafe place.initialize(to: 0)
        return unsafe UnsafePointer(place)
    }()
}
