/// Names of invented customers and of their sites.
enum CompanyWords {
    private static let kinds = [
        "Hotel", "Bakery", "Clinic", "Brewery", "Kindergarten", "Café", "Hardware", "Logistics",
        "Library", "Swimming Pool", "Garage", "Museum", "Pharmacy", "Dairy", "Data Centre",
    ]

    private static let names = [
        "Alpenblick", "Northgate", "Sankt Martin", "Blue Harbour", "Zum Löwen", "Riverside",
        "Étoile", "Silberhof", "Morning Star", "Grønland", "Kingfisher", "Três Irmãos",
        "Weiß & Söhne", "O'Neill", "Old Mill", "Žofín", "Sakura 桜", "Meridian",
    ]

    private static let forms = ["", "", "", " Ltd", " GmbH", " AG", " S.A.", " & Co."]

    static let siteNames = [
        "Main building", "Annex", "Warehouse", "Workshop", "Old wing", "Parking deck", "Canteen",
        "Gatehouse", "Boiler house",
    ]

    static let roles = ["Caretaker", "Facility manager", "Owner", "Reception", "Night porter"]

    static let tags = ["gold", "key account", "prepaid", "school", "24/7", "no invoices by mail"]

    /// Returns the name of a company.
    static func name(_ random: inout SplitMix64) -> String {
        random.pick(kinds) + " " + random.pick(names) + random.pick(forms)
    }
}
