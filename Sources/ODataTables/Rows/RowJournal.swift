package import ODataSQL

/// Learns of every change that an `EntityEditor` makes, before it is made where the old state matters.
package protocol RowJournal: AnyObject {
    /// Called before the values of a request are applied: to an existing row, or to a new one if the row is nil.
    func willTake(_ body: inout EntityBody, for row: Int64?, in table: TableLayout) throws
    /// The values that a row is about to get are complete: what a replacing request leaves out is among them.
    func willSet(_ body: EntityBody, of row: Int64, in table: TableLayout) throws
    /// Completes the key of an entity that is to be created, and says which system columns its row gets.
    func prepare(
        _ body: inout EntityBody,
        as row: Int64,
        in table: TableLayout
    ) throws -> SystemValues
    /// A row has been inserted.
    func inserted(_ row: Int64, in table: TableLayout) throws
    /// A row is about to change.
    func willChange(_ row: Int64, in table: TableLayout) throws
    /// A row is about to go.
    func willDelete(_ row: Int64, in table: TableLayout) throws
    /// A link has been made or removed.
    func linked(_ source: Int64, to target: Int64?, table: String, isAdded: Bool) throws
    /// A row has got the values of a body.
    func didChange(_ row: Int64, in table: TableLayout, to body: EntityBody) throws
    /// A relation that a row can have once is about to be set or ended; links that are hidden by other changes end with it.
    func willReplaceLink(of row: Int64, table: String, isReversed: Bool) throws
    /// A link of a link table is about to be made or removed.
    func willLink(_ source: Int64, to target: Int64, table: String, isAdded: Bool) throws
}

extension RowJournal {
    package func willTake(_ body: inout EntityBody, for row: Int64?, in table: TableLayout) throws {
    }
    package func willSet(_ body: EntityBody, of row: Int64, in table: TableLayout) throws {}
    package func didChange(_ row: Int64, in table: TableLayout, to body: EntityBody) throws {}
    package func willReplaceLink(of row: Int64, table: String, isReversed: Bool) throws {}
    package func willLink(_ source: Int64, to target: Int64, table: String, isAdded: Bool) throws {}
}
