/// Towns with their rough positions, and streets as their countries write them.
enum Places {
    /// A town; the position is in millionths of a degree.
    struct Town {
        let name: String
        let country: String
        let postalCode: String
        let latitude: Int
        let longitude: Int
    }

    private static let towns = [
        Town(
            name: "Hamburg",
            country: "DE",
            postalCode: "20",
            latitude: 53_551_000,
            longitude: 9_994_000
        ),
        Town(
            name: "München",
            country: "DE",
            postalCode: "80",
            latitude: 48_137_000,
            longitude: 11_575_000
        ),
        Town(
            name: "Köln",
            country: "DE",
            postalCode: "50",
            latitude: 50_938_000,
            longitude: 6_960_000
        ),
        Town(
            name: "Zürich",
            country: "CH",
            postalCode: "80",
            latitude: 47_377_000,
            longitude: 8_541_000
        ),
        Town(
            name: "Graz",
            country: "AT",
            postalCode: "80",
            latitude: 47_071_000,
            longitude: 15_439_000
        ),
        Town(
            name: "Leeds",
            country: "GB",
            postalCode: "LS",
            latitude: 53_801_000,
            longitude: -1_549_000
        ),
        Town(
            name: "Glasgow",
            country: "GB",
            postalCode: "GL",
            latitude: 55_864_000,
            longitude: -4_252_000
        ),
        Town(
            name: "Galway",
            country: "IE",
            postalCode: "H9",
            latitude: 53_271_000,
            longitude: -9_057_000
        ),
        Town(
            name: "Lyon",
            country: "FR",
            postalCode: "69",
            latitude: 45_764_000,
            longitude: 4_836_000
        ),
        Town(
            name: "Besançon",
            country: "FR",
            postalCode: "25",
            latitude: 47_238_000,
            longitude: 6_024_000
        ),
        Town(
            name: "Århus",
            country: "DK",
            postalCode: "80",
            latitude: 56_163_000,
            longitude: 10_204_000
        ),
        Town(
            name: "Malmö",
            country: "SE",
            postalCode: "21",
            latitude: 55_605_000,
            longitude: 13_004_000
        ),
        Town(
            name: "Łódź",
            country: "PL",
            postalCode: "90",
            latitude: 51_759_000,
            longitude: 19_456_000
        ),
        Town(
            name: "Plzeň",
            country: "CZ",
            postalCode: "30",
            latitude: 49_738_000,
            longitude: 13_374_000
        ),
        Town(
            name: "Porto",
            country: "PT",
            postalCode: "40",
            latitude: 41_158_000,
            longitude: -8_629_000
        ),
        Town(
            name: "A Coruña",
            country: "ES",
            postalCode: "15",
            latitude: 43_362_000,
            longitude: -8_412_000
        ),
        Town(
            name: "Portland",
            country: "US",
            postalCode: "97",
            latitude: 45_515_000,
            longitude: -122_679_000
        ),
        Town(
            name: "Wellington",
            country: "NZ",
            postalCode: "60",
            latitude: -41_289_000,
            longitude: 174_777_000
        ),
    ]

    private static let streets: [String: [String]] = [
        "DE": ["Hauptstraße", "Gartenweg", "Am Kanal", "Lindenallee", "Bahnhofstraße"],
        "CH": ["Seestrasse", "Bergweg", "Dorfplatz"],
        "AT": ["Mühlgasse", "Schlossplatz", "Annenstraße"],
        "FR": ["rue de la République", "avenue des Tilleuls", "quai du Rhône", "rue d'Alsace"],
        "DK": ["Åboulevarden", "Nørregade", "Strandvejen"],
        "SE": ["Storgatan", "Kungsgatan", "Ängsvägen"],
        "PL": ["ulica Piotrkowska", "ulica Długa"],
        "CZ": ["Náměstí Republiky", "Školní"],
        "PT": ["Rua das Flores", "Avenida da Boavista"],
        "ES": ["Calle Real", "Rúa do Orzán"],
    ]

    private static let englishStreets = [
        "Mill Lane", "High Street", "Station Road", "Victoria Terrace", "Quay Street", "Church Row",
    ]

    /// Returns a town.
    static func town(_ random: inout SplitMix64) -> Town { random.pick(towns) }

    /// Returns a street with its number.
    static func street(in town: Town, _ random: inout SplitMix64) -> String {
        let number = random.number(in: 1...240)
        if let names = streets[town.country] { return "\(random.pick(names)) \(number)" }
        return "\(number) \(random.pick(englishStreets))"
    }
}
