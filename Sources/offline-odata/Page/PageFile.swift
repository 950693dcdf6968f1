/// A file of the page, embedded in the executable.
enum PageFile: String, CaseIterable {
    case document = "page.html"
    case style = "page.css"
    case icon = "icon.svg"
    case start = "page.js"
    case elements = "elements.js"
    case service = "service.js"
    case values = "values.js"
    case data = "data.js"
    case entity = "entity.js"
    case queue = "queue.js"
    case errors = "errors.js"
    case conflict = "conflict.js"
    case events = "events.js"
    case synchronization = "sync.js"
    case model = "model.js"
    case diagram = "diagram.js"

    /// Answers nil for names that are no file below `/$page/`; the document stands at the root alone.
    init?(named name: String) {
        guard let file = PageFile(rawValue: name), file != .document else { return nil }
        self = file
    }

    var contentType: String {
        switch self {
        case .document: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .icon: "image/svg+xml"
        default: "text/javascript; charset=utf-8"
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .document: PackageResources.page_html
        case .style: PackageResources.page_css
        case .icon: PackageResources.icon_svg
        case .start: PackageResources.page_js
        case .elements: PackageResources.elements_js
        case .service: PackageResources.service_js
        case .values: PackageResources.values_js
        case .data: PackageResources.data_js
        case .entity: PackageResources.entity_js
        case .queue: PackageResources.queue_js
        case .errors: PackageResources.errors_js
        case .conflict: PackageResources.conflict_js
        case .events: PackageResources.events_js
        case .synchronization: PackageResources.sync_js
        case .model: PackageResources.model_js
        case .diagram: PackageResources.diagram_js
        }
    }
}
