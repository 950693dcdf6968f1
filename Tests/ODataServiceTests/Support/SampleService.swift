import FieldServiceMetadata

@testable import ODataAnswers
@testable import ODataService

/// A service of the sample model with a handful of entities written by hand.
enum SampleService {
    /// Instant of every change in the tests: 2024-05-01T08:00:00Z.
    static let now: Int64 = 638_501_472_000_000_000

    static func make(
        _ options: StandaloneOptions = StandaloneOptions(),
        settings: TableStoreSettings = TableStoreSettings()
    ) async throws -> TestService {
        var settings = settings
        settings.now = { now }
        return try await TestService(
            metadata: FieldServiceMetadata.v1,
            data: [
                ("Technicians", Array(technicians.utf8)), ("Customers", Array(customers.utf8)),
                ("Parts", Array(parts.utf8)), ("WorkOrders", Array(workOrders.utf8)),
                ("Tasks", Array(tasks.utf8)), ("Depot", Array(depot.utf8)),
            ],
            settings: settings,
            options: options
        )
    }

    private static let technicians = """
        {"value":[{"ID":"00000000-0000-4000-8000-000000000001","Name":"Ada","HiredOn":"2020-01-01",
        "HourlyRate":55.50,"Skills":"Electrical,Lifts","Certificates":["A","B"]}]}
        """
    private static let customers = """
        [{"ID":"C1","Name":"Å & Co","Address":{"City":"Bern","Country":"CH"},"Since":"2020-05-01",
        "CreditLimit":1000.00,"Contacts":[{"ID":1,"Name":"Bo"},{"ID":2,"Name":"Cy","IsPrimary":true}]},
        {"ID":"C/2","Name":"Two's","Address":{"City":"Ulm","Country":"DE","Location":{"Latitude":48.4,"Longitude":10}},
        "BillingAddress":{"City":"Ulm","Country":"DE"},"Since":"2021-05-01","Tags":["x"]}]
        """
    private static let parts = """
        {"value":[{"Number":"P1","Name":"Bolt","UnitPrice":0.10,"InStock":5,"Barcode":9007199254740993,
        "Icon":"AQID"},{"Number":"P2","Name":"Nut","UnitPrice":0.05,"InStock":7}]}
        """
    private static let workOrders = """
        {"value":[{"ID":1,"Title":"Lamp","CustomerID":"C1","Price":10.00,"DueAt":"2024-06-01T10:00:00+02:00",
        "RequiredParts@odata.bind":["Parts('P1')"]},
        {"@odata.type":"#FieldService.EmergencyWorkOrder","ID":2,"Title":"Fire","CustomerID":"C1",
        "Priority":"Urgent","Hazard":"smoke","AssignedToID":"00000000-0000-4000-8000-000000000001"},
        {"ID":3,"Title":"Door","Tags":["a","b"]}]}
        """
    private static let tasks = """
        {"value":[{"ID":1,"WorkOrderID":1,"Title":"Look"},{"ID":2,"WorkOrderID":1,"Title":"Mend","Position":2}]}
        """
    private static let depot = """
        {"Code":"D1","Name":"Main","Address":{"City":"Bern","Country":"CH"}}
        """
}
