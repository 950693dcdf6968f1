extension Grammar {
    /// Query options (OData 4.01 ABNF, section 2; OData Temporal ABNF).
    static let optionRules = #"""
        queryOptions = queryOption *( "&" queryOption )
        queryOption = systemQueryOption / aliasAndValue / nameAndValue / customQueryOption
        batchOptions = batchOption *( "&" batchOption )
        batchOption = format / customQueryOption
        metadataOptions = metadataOption *( "&" metadataOption )
        metadataOption = format / customQueryOption
        entityOptions = *( entityIdOption "&" ) id *( "&" entityIdOption )
        entityIdOption = format / customQueryOption
        entityCastOptions = *( entityCastOption "&" ) id *( "&" entityCastOption )
        entityCastOption = entityIdOption / expand / select
        id = ( "$id" / "id" ) EQ IRI-in-query

        systemQueryOption = compute / deltatoken / expand / filter / format / id / inlinecount / orderby
          / schemaversion / search / select / skip / skiptoken / top / index / apply / temporalOption

        compute = ( "$compute" / "compute" ) EQ computeItem *( COMMA computeItem )
        computeItem = commonExpr RWS "as" RWS computedProperty
        computedProperty = odataIdentifier

        expand = ( "$expand" / "expand" ) EQ expandItem *( COMMA expandItem )
        expandItem = "$value" / [ optionallyQualifiedEntityTypeName "/" ] expandPath
        expandPath = STAR [ ref / OPEN levels CLOSE ]
          / ( navigationProperty / entityAnnotationInQuery ) [ "/" optionallyQualifiedEntityTypeName ]
            [ ref [ OPEN expandRefOption *( SEMI expandRefOption ) CLOSE ]
            / count [ OPEN expandCountOption *( SEMI expandCountOption ) CLOSE ]
            / OPEN expandOption *( SEMI expandOption ) CLOSE ]
          / ( complexProperty / optionallyQualifiedComplexTypeName / complexAnnotationInQuery ) "/" expandPath
          / streamProperty
        expandCountOption = filter / search
        expandRefOption = expandCountOption / orderby / skip / top / inlinecount
        expandOption = expandRefOption / select / expand / compute / levels / aliasAndValue / apply / temporalOption
        levels = ( "$levels" / "levels" ) EQ ( oneToNine *DIGIT / "max" )

        filter = ( "$filter" / "filter" ) EQ boolCommonExpr
        orderby = ( "$orderby" / "orderby" ) EQ orderbyItem *( COMMA orderbyItem )
        orderbyItem = commonExpr [ RWS ( "asc" / "desc" ) ]
        skip = ( "$skip" / "skip" ) EQ 1*DIGIT
        top = ( "$top" / "top" ) EQ 1*DIGIT
        index = ( "$index" / "index" ) EQ [ "-" ] 1*DIGIT
        format = ( "$format" / "format" ) EQ ( "atom" / "json" / "xml" / 1*pchar "/" 1*pchar )
        inlinecount = ( "$count" / "count" ) EQ boolean
        schemaversion = ( "$schemaversion" / "schemaversion" ) EQ ( STAR / 1*unreserved )
        deltatoken = "$deltatoken" EQ 1*qchar-no-AMP
        skiptoken = "$skiptoken" EQ 1*qchar-no-AMP

        search = ( "$search" / "search" ) EQ BWS ( searchExpr / searchExpr-incomplete )
        ; Operators are a loop here and recursive in the standard.
        searchExpr = searchItem *( RWS [ ( %s"OR" / %s"AND" ) RWS ] searchItem )
        searchItem = *( %s"NOT" RWS ) ( searchParenExpr / searchPhrase / searchWord )
        searchParenExpr = OPEN BWS searchExpr BWS CLOSE
        searchNegateExpr = %s"NOT" RWS searchExpr
        searchOrExpr = RWS %s"OR" RWS searchExpr
        searchAndExpr = RWS [ %s"AND" RWS ] searchExpr
        searchPhrase = quotation-mark 1*( qchar-no-AMP-DQUOTE / SP ) quotation-mark
        searchWord = searchChar *( searchChar / SQUOTE )
        ; Parentheses and quotes are no part of words, however they are written.
        searchChar = unreserved / pct-encoded-in-word / "!" / "*" / "+" / "," / ":" / "@" / "/" / "?" / "$" / "="
        pct-encoded-in-word = "%" ( "0" / "1" / "3" / "4" / "5" / "6" / "7" / "8" / "9" / A-to-F ) HEXDIG
          / "%2" ( "0" / "1" / "3" / "4" / "5" / "6" / "7" / "A" / "B" / "C" / "D" / "E" / "F" )
        searchExpr-incomplete = SQUOTE *( SQUOTE-in-string / qchar-no-AMP-SQUOTE / quotation-mark / SP ) SQUOTE

        select = ( "$select" / "select" ) EQ selectItem *( COMMA selectItem )
        selectItem = STAR / allOperationsInSchema / selectProperty
          / optionallyQualifiedActionName / optionallyQualifiedFunctionName
          / ( optionallyQualifiedEntityTypeName / optionallyQualifiedComplexTypeName ) "/"
            ( selectProperty / optionallyQualifiedActionName / optionallyQualifiedFunctionName )
        selectProperty = primitiveProperty / primitiveAnnotationInQuery
          / ( primitiveColProperty / primitiveColAnnotationInQuery ) [ OPEN selectOptionPC *( SEMI selectOptionPC ) CLOSE ]
          / navigationProperty
          / selectPath [ OPEN selectOption *( SEMI selectOption ) CLOSE / "/" selectProperty ]
        selectPath = ( complexProperty / complexColProperty / complexAnnotationInQuery )
          [ "/" optionallyQualifiedComplexTypeName ]
        selectOptionPC = filter / search / inlinecount / orderby / skip / top
        selectOption = selectOptionPC / compute / select / aliasAndValue
        allOperationsInSchema = namespace "." STAR
        optionallyQualifiedActionName = [ namespace "." ] action
        optionallyQualifiedFunctionName = [ namespace "." ] function [ OPEN parameterNames CLOSE ]
        parameterNames = parameterName *( COMMA parameterName )

        aliasAndValue = parameterAlias EQ parameterValue
        nameAndValue = parameterName EQ parameterValue
        parameterValue = arrayOrObject / commonExpr
        customQueryOption = customName [ EQ customValue ]
        customName = qchar-no-AMP-EQ-AT-DOLLAR *qchar-no-AMP-EQ
        customValue = *qchar-no-AMP
        complexAnnotationInQuery = annotationInQuery
        entityAnnotationInQuery = annotationInQuery
        primitiveAnnotationInQuery = annotationInQuery
        primitiveColAnnotationInQuery = annotationInQuery

        temporalOption = at-option / from / to / toInclusive
        at-option = "$at" EQ temporalExpr
        from = "$from" EQ temporalExpr
        to = "$to" EQ temporalExpr
        toInclusive = "$toInclusive" EQ temporalExpr
        temporalExpr = "min" / "max" / commonExpr
        """#
}
