import CommandSupport
import ODataModel
import OfflineOData

/// Files of rows, `Set.json`.
struct DataFiles {
    /// A file, named after an entity set or a singleton.
    struct File: Sendable {
        var path: String
        var data: OfflineODataDataFile
    }

    let files: [File]

    /// Takes every `.json` file of a directory, but the metadata that an export has put beside them.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where one is named after no entity set.
    init(directory: String, model: EdmModel) throws(CommandFailure) {
        let sets = Self.setNames(model)
        let names = try FileBytes.names(in: directory).filter { name in
            name.hasSuffix(".json") && !Self.isMetadata(name, sets: sets)
        }
        guard !names.isEmpty else {
            throw .usage(
                "\(directory) holds no data",
                advice: "Put a file Set.json into it for each entity set that has entities."
            )
        }
        try self.init(paths: names.map { directory + "/" + $0 }, model: model)
    }

    /// Takes these files, but the metadata that an export has put beside them.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where one is named after no entity set, or two after the same.
    init(paths: [String], model: EdmModel) throws(CommandFailure) {
        var found: [File] = []
        let sets = Self.setNames(model)
        for path in paths where paths.count == 1 || !Self.isMetadata(path, sets: sets) {
            let set = try Self.set(of: path, in: model)
            guard !found.contains(where: { $0.data.entitySet == set }) else {
                throw .usage("two files are named after \(set); keep one of them")
            }
            let data = OfflineODataDataFile(entitySet: set, json: try FileBytes.read(path))
            found.append(File(path: path, data: data))
        }
        files = found
    }

    private static func set(of path: String, in model: EdmModel) throws(CommandFailure) -> String {
        let name = String(path.split(separator: "/").last ?? "")
        let set = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
        let names = setNames(model)
        guard names.contains(set) else {
            guard FileBytes.exists(path) else {
                throw .usage("cannot read \(path): there is no such file")
            }
            guard !FileBytes.isDirectory(path) else {
                throw .usage(
                    "\(path) is a directory",
                    advice: "Name its files: \(ShellText.quoted(path))/*.json."
                )
            }
            let nearest =
                NearestName.of(set, among: names).map { "; did you mean \($0).json?" } ?? ""
            throw .usage(
                "\(path): the metadata has no entity set '\(set)'\(nearest)",
                advice: "Data files are named after their entity set: Set.json."
            )
        }
        return set
    }

    private static func isMetadata(_ path: String, sets: [String]) -> Bool {
        let name = path.split(separator: "/").last.map(String.init)
        return name == ExportDirectory.otherMetadataName + ".json"
            || name == ExportDirectory.metadataName + ".json"
                && !sets.contains(ExportDirectory.metadataName)
    }

    /// The names of a model's sets and singletons.
    static func setNames(_ model: EdmModel) -> [String] {
        model.container.entitySets.map(\.name) + model.container.singletons.map(\.name)
    }
}
