import offline_odata

/// The program; the work is done by the module that it imports.
@main
struct Main {
    static func main() async {
        await OfflineODataTool.main()
    }
}
