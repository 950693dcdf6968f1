/// A primitive type of the Entity Data Model, of any version (OData CSDL 4.01 § 3.3; CSDL 3.0 § 2.2.1).
public enum PrimitiveType: String, Sendable, CaseIterable {
    case binary = "Edm.Binary"
    case boolean = "Edm.Boolean"
    case byte = "Edm.Byte"
    case date = "Edm.Date"
    /// An instant without offset, of versions 1 to 3 only.
    case dateTime = "Edm.DateTime"
    case dateTimeOffset = "Edm.DateTimeOffset"
    case decimal = "Edm.Decimal"
    case double = "Edm.Double"
    case duration = "Edm.Duration"
    case guid = "Edm.Guid"
    case int16 = "Edm.Int16"
    case int32 = "Edm.Int32"
    case int64 = "Edm.Int64"
    case sbyte = "Edm.SByte"
    case single = "Edm.Single"
    case stream = "Edm.Stream"
    case string = "Edm.String"
    /// A duration within a day in versions 1 to 3 (`PT13H20M`); 4.0 splits it into `TimeOfDay` and `Duration`.
    case time = "Edm.Time"
    case timeOfDay = "Edm.TimeOfDay"
    case geography = "Edm.Geography"
    case geographyPoint = "Edm.GeographyPoint"
    case geographyLineString = "Edm.GeographyLineString"
    case geographyPolygon = "Edm.GeographyPolygon"
    case geographyMultiPoint = "Edm.GeographyMultiPoint"
    case geographyMultiLineString = "Edm.GeographyMultiLineString"
    case geographyMultiPolygon = "Edm.GeographyMultiPolygon"
    case geographyCollection = "Edm.GeographyCollection"
    case geometry = "Edm.Geometry"
    case geometryPoint = "Edm.GeometryPoint"
    case geometryLineString = "Edm.GeometryLineString"
    case geometryPolygon = "Edm.GeometryPolygon"
    case geometryMultiPoint = "Edm.GeometryMultiPoint"
    case geometryMultiLineString = "Edm.GeometryMultiLineString"
    case geometryMultiPolygon = "Edm.GeometryMultiPolygon"
    case geometryCollection = "Edm.GeometryCollection"
    /// Any primitive type (`Edm.PrimitiveType`).
    case primitiveType = "Edm.PrimitiveType"

    /// Whether the value is a position or shape, kept as GeoJSON text.
    public var isGeo: Bool {
        rawValue.hasPrefix("Edm.Geo")
    }
}
