/// Names of invented people.
enum People {
    private static let firstNames = [
        "Anna", "Ben", "Carla", "David", "Elif", "Finn", "Grace", "Hannah", "Ivan", "Jana", "Karim",
        "Laura", "Mateo", "Nora", "Oskar", "Priya", "Quentin", "Rosa", "Samuel", "Tara", "Uwe",
        "Vera", "Wim", "Ximena", "Yusuf", "Zoë", "Łukasz", "Øyvind", "Siân", "José", "Chloé",
        "Jürgen", "Jiří", "Hoa", "Оксана", "Δημήτρης", "美咲", "נועה", "ليلى", "Ama",
    ]

    private static let lastNames = [
        "Adams", "Berger", "Costa", "Dubois", "Eriksen", "Fischer", "García", "Hansen", "Ivanova",
        "Janssen", "Kowalski", "López", "Müller", "Novák", "O'Brien", "Petrov", "Quinn", "Rossi",
        "Schröder", "Taylor", "Ünal", "van den Berg", "Wójcik", "Ángström", "Yılmaz", "Žižek",
        "Smith-Jones", "MacLeod", "de la Cruz", "Шевченко", "Παππάς", "佐藤", "Õunapuu", "Þórsdóttir",
        "Brown", "Keller", "Moreau", "Nielsen", "Bauer", "Lindqvist",
    ]

    /// Returns a name.
    static func name(_ random: inout SplitMix64) -> String {
        random.pick(firstNames) + " " + random.pick(lastNames)
    }

    /// Returns the number that makes a mail address unique and readable, in the reserved domain of RFC 2606.
    static func email(_ box: String, _ number: Int) -> String {
        "\(box)\(number)@example.com"
    }

    /// Returns an invented telephone number.
    static func phone(_ random: inout SplitMix64) -> String {
        let country = random.pick(["+44", "+49", "+33", "+1", "+45", "+420"])
        return "\(country) \(random.number(in: 100...999)) 555 "
            + Formats.padded(random.below(10_000), 4)
    }
}
