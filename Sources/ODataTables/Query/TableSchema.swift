package import ODataSQL
package import ODataModel
package import Synchronization

/// A model with everything derived from it: one version of what a file holds.
///
/// A class, since everything that works with tables passes it on.
package final class TableSchema: Sendable {
    /// The CSDL document as it was read.
    package let document: [UInt8]
    /// The document in its other form, XML or JSON, once it was asked for.
    package let convertedDocument = Mutex<[UInt8]?>(nil)
    /// Its tables.
    package let layout: Layout
    /// Its payload plans.
    package let plans: PlanCatalog

    /// Its statements that read single entities.
    package let singleReads = SingleReads()

    /// What its defining queries bring.
    package let queryReaches = QueryReaches()

    /// The model.
    package var model: EdmModel { layout.model }

    package init(document: [UInt8], layout: Layout) {
        self.document = document
        self.layout = layout
        plans = PlanCatalog(layout)
    }
}
