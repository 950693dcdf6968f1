// Generated from OData metadata; do not edit.
// swift-format-ignore-file

public import OfflineOData

extension OfflineODataProvider {
    /// The entity set `Technicians`.
    public var technicians: ODataEntitySet<FieldService.Technician> {
        ODataEntitySet("Technicians", of: self)
    }

    /// The entity set `Customers`.
    public var customers: ODataEntitySet<FieldService.Customer> {
        ODataEntitySet("Customers", of: self)
    }

    /// The entity set `Sites`.
    public var sites: ODataEntitySet<FieldService.Site> {
        ODataEntitySet("Sites", of: self)
    }

    /// The entity set `WorkOrders`.
    public var workOrders: ODataEntitySet<FieldService.WorkOrder> {
        ODataEntitySet("WorkOrders", of: self)
    }

    /// The entity set `Tasks`.
    public var tasks: ODataEntitySet<FieldService.Task> {
        ODataEntitySet("Tasks", of: self)
    }

    /// The entity set `Parts`.
    public var parts: ODataEntitySet<FieldService.Part> {
        ODataEntitySet("Parts", of: self)
    }

    /// The entity set `TimeEntries`.
    public var timeEntries: ODataEntitySet<FieldService.TimeEntry> {
        ODataEntitySet("TimeEntries", of: self)
    }

    /// The entity set `Attachments`.
    public var attachments: ODataEntitySet<FieldService.Attachment> {
        ODataEntitySet("Attachments", of: self)
    }

    /// The singleton `Depot`.
    public var depot: ODataSingleton<FieldService.Depot> {
        ODataSingleton("Depot", of: self)
    }
}
