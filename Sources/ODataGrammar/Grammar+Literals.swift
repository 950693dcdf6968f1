extension Grammar {
    /// Names and primitive values (OData 4.01 ABNF, sections 6 and 7).
    static let literalRules = #"""
        qualifiedTypeName = singleQualifiedTypeName / %s"Collection" OPEN singleQualifiedTypeName CLOSE
        optionallyQualifiedTypeName = singleQualifiedTypeName / singleTypeName
          / %s"Collection" OPEN ( singleQualifiedTypeName / singleTypeName ) CLOSE
        singleQualifiedTypeName = qualifiedEntityTypeName / primitiveTypeName
        singleTypeName = odataIdentifier
        qualifiedEntityTypeName = namespace "." entityTypeName
        qualifiedComplexTypeName = namespace "." complexTypeName
        qualifiedTypeDefinitionName = namespace "." typeDefinitionName
        qualifiedEnumTypeName = namespace "." enumerationTypeName
        optionallyQualifiedEntityTypeName = [ namespace "." ] entityTypeName
        optionallyQualifiedComplexTypeName = [ namespace "." ] complexTypeName
        namespace = namespacePart *( "." namespacePart )
        primitiveTypeName = %s"Edm." ( %s"Binary" / %s"Boolean" / %s"Byte" / %s"Date" / %s"DateTimeOffset" / %s"Decimal"
          / %s"Double" / %s"Duration" / %s"Guid" / %s"Int16" / %s"Int32" / %s"Int64" / %s"SByte" / %s"Single"
          / %s"Stream" / %s"String" / %s"TimeOfDay" / abstractSpatialTypeName [ concreteSpatialTypeName ] )
        abstractSpatialTypeName = %s"Geography" / %s"Geometry"
        concreteSpatialTypeName = %s"Collection" / %s"LineString" / %s"MultiLineString" / %s"MultiPoint"
          / %s"MultiPolygon" / %s"Point" / %s"Polygon"
        primitiveProperty = odataIdentifier
        navigationProperty = odataIdentifier
        function = odataIdentifier

        primitiveLiteral = null / boolean / guid / dateTimeOffsetLiteral / date / timeOfDayLiteral / decimalLiteral
          / doubleLiteral / singleLiteral / sbyteLiteral / byte / int16Literal / int32Literal / int64Literal
          / stringLiteral / durationLiteral / enumLiteral / binaryLiteral / geoLiteralInUrl
        geoLiteralInUrl = ( geographyPrefix / geometryPrefix ) SQUOTE sridLiteral geoLiteral SQUOTE
        primitiveValue = boolean / guid / durationValue / dateTimeOffsetValue / date / timeOfDayValue / enumValue
          / sridLiteral geoLiteral / decimalValue / doubleValue / singleValue / sbyteValue / byte / int16Value
          / int32Value / int64Value / binaryValue
        null = %s"null"
        nullValue = null
        boolean = "true" / "false"
        booleanValue = boolean

        binaryLiteral = "binary" SQUOTE binaryValue SQUOTE
        binaryValue = *( 4base64char ) [ base64b16 / base64b8 ]
        base64b16 = 2base64char ( %s"A" / %s"E" / %s"I" / %s"M" / %s"Q" / %s"U" / %s"Y" / %s"c" / %s"g" / %s"k" / %s"o"
          / %s"s" / %s"w" / %s"0" / %s"4" / %s"8" ) [ "=" ]
        base64b8 = base64char ( %s"A" / %s"Q" / %s"g" / %s"w" ) [ "==" ]
        base64char = ALPHA / DIGIT / "-" / "_"

        decimalLiteral = [ SIGN ] 1*DIGIT [ "." 1*DIGIT ] [ "e" [ SIGN ] 1*DIGIT ] / nanInfinity
        decimalValue = [ "+" / "-" ] 1*DIGIT [ "." 1*DIGIT ] [ "e" [ "+" / "-" ] 1*DIGIT ] / nanInfinity
        doubleLiteral = decimalLiteral
        doubleValue = decimalValue
        singleLiteral = decimalLiteral
        singleValue = decimalValue
        nanInfinity = %s"NaN" / %s"-INF" / %s"INF"
        guid = 8HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 12HEXDIG
        guidValue = guid
        byte = 1*3DIGIT
        byteValue = byte
        sbyteLiteral = [ SIGN ] 1*3DIGIT
        sbyteValue = [ "+" / "-" ] 1*3DIGIT
        int16Literal = [ SIGN ] 1*5DIGIT
        int16Value = [ "+" / "-" ] 1*5DIGIT
        int32Literal = [ SIGN ] 1*10DIGIT
        int32Value = [ "+" / "-" ] 1*10DIGIT
        int64Literal = [ SIGN ] 1*19DIGIT
        int64Value = [ "+" / "-" ] 1*19DIGIT
        stringLiteral = SQUOTE *( SQUOTE-in-string / pchar-no-SQUOTE ) SQUOTE
        SQUOTE-in-string = SQUOTE SQUOTE

        date = year "-" month "-" day
        dateValue = date
        dateTimeOffsetLiteral = date "T" timeOfDayLiteral ( "Z" / SIGN hour COLON minute )
        dateTimeOffsetValueInUrl = dateTimeOffsetLiteral
        dateTimeOffsetValue = date "T" timeOfDayValue ( "Z" / ( "+" / "-" ) hour ":" minute )
        durationLiteral = [ "duration" ] SQUOTE durationValue SQUOTE
        durationValue = [ "-" ] "P" [ 1*DIGIT "D" ]
          [ "T" [ 1*DIGIT "H" ] [ 1*DIGIT "M" ] [ 1*DIGIT [ "." 1*DIGIT ] "S" ] ]
        timeOfDayValueInUrl = timeOfDayLiteral
        timeOfDayLiteral = hour COLON minute [ COLON second [ "." fractionalSeconds ] ]
        timeOfDayValue = hour ":" minute [ ":" second [ "." fractionalSeconds ] ]
        oneToNine = %x31-39
        zeroToFiftyNine = %x30-35 DIGIT
        year = [ "-" ] ( "0" 3DIGIT / oneToNine 3*DIGIT )
        month = "0" oneToNine / "1" %x30-32
        day = "0" oneToNine / %x31-32 DIGIT / "3" %x30-31
        hour = %x30-31 DIGIT / "2" %x30-33
        minute = zeroToFiftyNine
        second = zeroToFiftyNine / "60"
        fractionalSeconds = 1*12DIGIT

        enumLiteral = [ qualifiedEnumTypeName ] SQUOTE singleEnumLiteral *( COMMA singleEnumLiteral ) SQUOTE
        singleEnumLiteral = enumerationMember / int64Literal
        enumValue = singleEnumValue *( "," singleEnumValue )
        singleEnumValue = enumerationMember / int64Value

        geographyPrefix = "geography"
        geometryPrefix = "geometry"
        sridLiteral = "SRID" EQ 1*5DIGIT SEMI
        positionLiteral = doubleValue SP doubleValue [ SP doubleValue ] [ SP doubleValue ]
        pointData = OPEN positionLiteral CLOSE
        lineStringData = OPEN positionLiteral 1*( COMMA positionLiteral ) CLOSE
        ringLiteral = OPEN positionLiteral *( COMMA positionLiteral ) CLOSE
        polygonData = OPEN ringLiteral *( COMMA ringLiteral ) CLOSE
        geoLiteral = collectionLiteral / lineStringLiteral / multiPointLiteral / multiLineStringLiteral
          / multiPolygonLiteral / pointLiteral / polygonLiteral
        collectionLiteral = "GeometryCollection(" geoLiteral *( COMMA geoLiteral ) CLOSE
        lineStringLiteral = "LineString" lineStringData
        multiLineStringLiteral = "MultiLineString(" [ lineStringData *( COMMA lineStringData ) ] CLOSE
        multiPointLiteral = "MultiPoint(" [ pointData *( COMMA pointData ) ] CLOSE
        multiPolygonLiteral = "MultiPolygon(" [ polygonData *( COMMA polygonData ) ] CLOSE
        pointLiteral = "Point" pointData
        polygonLiteral = "Polygon" polygonData
        fullCollectionLiteral = sridLiteral collectionLiteral
        fullLineStringLiteral = sridLiteral lineStringLiteral
        fullMultiLineStringLiteral = sridLiteral multiLineStringLiteral
        fullMultiPointLiteral = sridLiteral multiPointLiteral
        fullMultiPolygonLiteral = sridLiteral multiPolygonLiteral
        fullPointLiteral = sridLiteral pointLiteral
        fullPolygonLiteral = sridLiteral polygonLiteral
        """#

    /// Rules that are names of one kind and nothing else.
    static let nameRules = [
        "namespacePart", "entitySetName", "singletonEntity", "entityTypeName", "complexTypeName",
        "typeDefinitionName", "enumerationTypeName", "enumerationMember", "termName",
        "primitiveKeyProperty", "primitiveNonKeyProperty", "primitiveColProperty",
        "complexProperty",
        "complexColProperty", "streamProperty", "entityNavigationProperty",
        "entityColNavigationProperty", "action", "actionImport", "entityFunction",
        "entityColFunction", "complexFunction", "complexColFunction", "primitiveFunction",
        "primitiveColFunction", "entityFunctionImport", "entityColFunctionImport",
        "complexFunctionImport", "complexColFunctionImport", "primitiveFunctionImport",
        "primitiveColFunctionImport",
    ].map { $0 + " = odataIdentifier" }.joined(separator: "\n")

    /// Geo literals: a rule for each prefix and shape.
    static let geoRules = ["geography", "geometry"].flatMap { prefix in
        [
            "Collection", "LineString", "MultiLineString", "MultiPoint", "MultiPolygon", "Point",
            "Polygon",
        ].map { "\(prefix)\($0) = \(prefix)Prefix SQUOTE full\($0)Literal SQUOTE" }
    }.joined(separator: "\n")
}
