/// A primitive type of the Entity Data Model, of any version (OData CSDL 4.01 § 3.3; CSDL 3.0 § 2.2.1).
public enum PrimitiveType: String, Sendable, CaseIterable {
    /// Binary data.
    case binary = "Edm.Binary"
    /// `true` or `false`.
    case boolean = "Edm.Boolean"
    /// Unsigned integers of 8 bits.
    case byte = "Edm.Byte"
    /// Dates without a time.
    case date = "Edm.Date"
    /// An instant without offset, of versions 1 to 3 only.
    case dateTime = "Edm.DateTime"
    /// Points in time, with an offset from UTC.
    case dateTimeOffset = "Edm.DateTimeOffset"
    /// Decimal numbers.
    case decimal = "Edm.Decimal"
    /// Floating-point numbers of 64 bits.
    case double = "Edm.Double"
    /// Signed durations.
    case duration = "Edm.Duration"
    /// GUIDs of 128 bits.
    case guid = "Edm.Guid"
    /// Signed integers of 16 bits.
    case int16 = "Edm.Int16"
    /// Signed integers of 32 bits.
    case int32 = "Edm.Int32"
    /// Signed integers of 64 bits.
    case int64 = "Edm.Int64"
    /// Signed integers of 8 bits.
    case sbyte = "Edm.SByte"
    /// Floating-point numbers of 32 bits.
    case single = "Edm.Single"
    /// Streams of bytes.
    case stream = "Edm.Stream"
    /// Character strings.
    case string = "Edm.String"
    /// A duration within a day in versions 1 to 3 (`PT13H20M`); 4.0 splits it into `TimeOfDay` and `Duration`.
    case time = "Edm.Time"
    /// Clock times.
    case timeOfDay = "Edm.TimeOfDay"
    /// Any value of a geography type.
    case geography = "Edm.Geography"
    /// Geography values: points.
    case geographyPoint = "Edm.GeographyPoint"
    /// Geography values: line strings.
    case geographyLineString = "Edm.GeographyLineString"
    /// Geography values: polygons.
    case geographyPolygon = "Edm.GeographyPolygon"
    /// Geography values: sets of points.
    case geographyMultiPoint = "Edm.GeographyMultiPoint"
    /// Geography values: sets of line strings.
    case geographyMultiLineString = "Edm.GeographyMultiLineString"
    /// Geography values: sets of polygons.
    case geographyMultiPolygon = "Edm.GeographyMultiPolygon"
    /// Geography values: collections of shapes.
    case geographyCollection = "Edm.GeographyCollection"
    /// Any value of a geometry type.
    case geometry = "Edm.Geometry"
    /// Geometry values: points.
    case geometryPoint = "Edm.GeometryPoint"
    /// Geometry values: line strings.
    case geometryLineString = "Edm.GeometryLineString"
    /// Geometry values: polygons.
    case geometryPolygon = "Edm.GeometryPolygon"
    /// Geometry values: sets of points.
    case geometryMultiPoint = "Edm.GeometryMultiPoint"
    /// Geometry values: sets of line strings.
    case geometryMultiLineString = "Edm.GeometryMultiLineString"
    /// Geometry values: sets of polygons.
    case geometryMultiPolygon = "Edm.GeometryMultiPolygon"
    /// Geometry values: collections of shapes.
    case geometryCollection = "Edm.GeometryCollection"
    /// Any primitive type (`Edm.PrimitiveType`).
    case primitiveType = "Edm.PrimitiveType"

    /// Whether the value is a position or shape, kept as GeoJSON text.
    public var isGeo: Bool {
        rawValue.hasPrefix("Edm.Geo")
    }
}
