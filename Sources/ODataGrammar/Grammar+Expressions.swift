extension Grammar {
    /// Expressions (OData 4.01 ABNF, sections 4 and 5).
    ///
    /// The standard writes operators right-recursively; chains are loops here, so that their length costs no square.
    static let expressionRules = #"""
        commonExpr = operand *( infixOperator operand / closedExpr ( andOperator / orOperator ) operand
          / arithmeticOperator operand closedExpr comparisonOperator operand ) [ closedExpr ]
        boolCommonExpr = commonExpr
        operand = *( "-" BWS / "not" RWS ) singleOperand
        singleOperand = primitiveLiteral / arrayOrObject / rootExpr / functionExpr / methodCallExpr / parenExpr
          / castExpr / isofExpr / firstMemberExpr
        infixOperator = arithmeticOperator / comparisonOperator / andOperator / orOperator / RWS "in" RWS
        arithmeticOperator = RWS ( "add" / "sub" / "mul" / "div" / "divby" / "mod" ) RWS
        comparisonOperator = RWS ( "eq" / "ne" / "lt" / "le" / "gt" / "ge" ) RWS
        andOperator = RWS "and" RWS
        orOperator = RWS "or" RWS
        closedExpr = hasExpr / RWS "in" RWS listExpr

        andExpr = andOperator boolCommonExpr
        orExpr = orOperator boolCommonExpr
        eqExpr = RWS "eq" RWS commonExpr
        neExpr = RWS "ne" RWS commonExpr
        ltExpr = RWS "lt" RWS commonExpr
        leExpr = RWS "le" RWS commonExpr
        gtExpr = RWS "gt" RWS commonExpr
        geExpr = RWS "ge" RWS commonExpr
        inExpr = RWS "in" RWS ( listExpr / commonExpr )
        hasExpr = RWS "has" RWS enumLiteral
        addExpr = RWS "add" RWS commonExpr
        subExpr = RWS "sub" RWS commonExpr
        mulExpr = RWS "mul" RWS commonExpr
        divExpr = RWS "div" RWS commonExpr
        divbyExpr = RWS "divby" RWS commonExpr
        modExpr = RWS "mod" RWS commonExpr
        negateExpr = "-" BWS commonExpr
        notExpr = "not" RWS boolCommonExpr
        parenExpr = OPEN BWS commonExpr BWS CLOSE
        listExpr = OPEN BWS [ primitiveLiteral BWS *( COMMA BWS primitiveLiteral BWS ) ] CLOSE
        isofExpr = "isof" OPEN BWS [ commonExpr BWS COMMA BWS ] optionallyQualifiedTypeName BWS CLOSE
        castExpr = "cast" OPEN BWS [ commonExpr BWS COMMA BWS ] optionallyQualifiedTypeName BWS CLOSE

        rootExpr = %s"$root/" ( entitySetName [ collectionNavigationExpr ] / singletonEntity [ singleNavigationExpr ]
          / odataIdentifier functionExprParameters [ afterFunctionExpr ] )
        firstMemberExpr = memberExpr / inscopeVariableExpr [ "/" memberExpr ] / currCollectionExpr
        memberExpr = [ ( optionallyQualifiedEntityTypeName / optionallyQualifiedComplexTypeName ) "/" ] directMemberExpr
        directMemberExpr = propertyPathExpr / boundFunctionExpr / annotationExpr
        propertyPathExpr = odataIdentifier [ afterFunctionExpr ]
        afterFunctionExpr = collectionNavigationExpr / singleNavigationExpr / complexColPathExpr / complexPathExpr
          / collectionPathExpr / primitivePathExpr
        annotationExpr = annotationInQuery [ collectionPathExpr / singleNavigationExpr / complexPathExpr / primitivePathExpr ]
        annotationInQuery = AT [ namespace "." ] termName [ HASH annotationQualifier ]
        annotationInFragment = AT [ namespace "." ] termName [ "#" annotationQualifier ]
        annotationQualifier = odataIdentifier
        inscopeVariableExpr = implicitVariableExpr / parameterAlias / lambdaVariableExpr
        implicitVariableExpr = %s"$it" / %s"$this"
        lambdaVariableExpr = odataIdentifier
        collectionNavigationExpr = [ "/" optionallyQualifiedEntityTypeName ] collectionNavNoCastExpr
        collectionNavNoCastExpr = ( simpleKey / compoundKey / keySegmentsExpr ) [ singleNavigationExpr ] / filterExpr [ collectionNavigationExpr ]
          / collectionPathExpr
        ; A key given by segments inside an expression holds no punctuation of expressions.
        keySegmentsExpr = 1*( "/" 1*( unreserved / pct-encoded / "!" / "*" / "+" / "=" / ":" / "@" ) )
        singleNavigationExpr = "/" memberExpr
        filterExpr = %s"/$filter" OPEN boolCommonExpr CLOSE
        complexColPathExpr = collectionPathExpr / "/" optionallyQualifiedComplexTypeName [ collectionPathExpr ]
        collectionPathExpr = count [ OPEN expandCountOption *( SEMI expandCountOption ) CLOSE ]
          / filterExpr [ collectionPathExpr ] / "/" anyExpr / "/" allExpr / "/" boundFunctionExpr / "/" annotationExpr
          / %s"/aggregate" OPEN BWS aggregateFunctionExpr BWS CLOSE
        complexPathExpr = "/" directMemberExpr / "/" optionallyQualifiedComplexTypeName [ "/" directMemberExpr ]
        primitivePathExpr = "/" [ annotationExpr / boundFunctionExpr ]
        boundFunctionExpr = functionExpr
        functionExpr = ( namespace "." odataIdentifier / unreservedFunction ) functionExprParameters [ afterFunctionExpr ]
        functionExprParameters = OPEN [ BWS functionExprParameter *( BWS COMMA BWS functionExprParameter ) ] BWS CLOSE
        functionExprParameter = parameterName EQ ( parameterAlias / parameterValue )
        anyExpr = "any" OPEN BWS [ lambdaVariableExpr BWS COLON BWS lambdaPredicateExpr ] BWS CLOSE
        allExpr = "all" OPEN BWS lambdaVariableExpr BWS COLON BWS lambdaPredicateExpr BWS CLOSE
        lambdaPredicateExpr = boolCommonExpr

        noArguments = OPEN BWS CLOSE
        oneArgument = OPEN BWS commonExpr BWS CLOSE
        twoArguments = OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        methodCallExpr = indexOfMethodCallExpr / toLowerMethodCallExpr / toUpperMethodCallExpr / trimMethodCallExpr
          / substringMethodCallExpr / concatMethodCallExpr / lengthMethodCallExpr / matchesPatternMethodCallExpr
          / yearMethodCallExpr / monthMethodCallExpr / dayMethodCallExpr / hourMethodCallExpr / minuteMethodCallExpr
          / secondMethodCallExpr / fractionalsecondsMethodCallExpr / totalsecondsMethodCallExpr / dateMethodCallExpr
          / timeMethodCallExpr / roundMethodCallExpr / floorMethodCallExpr / ceilingMethodCallExpr
          / distanceMethodCallExpr / geoLengthMethodCallExpr / totalOffsetMinutesMethodCallExpr
          / minDateTimeMethodCallExpr / maxDateTimeMethodCallExpr / nowMethodCallExpr / caseMethodCallExpr
          / boolMethodCallExpr
        boolMethodCallExpr = endsWithMethodCallExpr / startsWithMethodCallExpr / containsMethodCallExpr
          / intersectsMethodCallExpr / hasSubsetMethodCallExpr / hasSubsequenceMethodCallExpr / isdefinedExpr
        concatMethodCallExpr = "concat" twoArguments
        containsMethodCallExpr = "contains" twoArguments
        endsWithMethodCallExpr = "endswith" twoArguments
        indexOfMethodCallExpr = "indexof" twoArguments
        lengthMethodCallExpr = "length" oneArgument
        matchesPatternMethodCallExpr = "matchesPattern" twoArguments
        startsWithMethodCallExpr = "startswith" twoArguments
        substringMethodCallExpr = "substring" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS
          [ COMMA BWS commonExpr BWS ] CLOSE
        toLowerMethodCallExpr = "tolower" oneArgument
        toUpperMethodCallExpr = "toupper" oneArgument
        trimMethodCallExpr = "trim" oneArgument
        yearMethodCallExpr = "year" oneArgument
        monthMethodCallExpr = "month" oneArgument
        dayMethodCallExpr = "day" oneArgument
        hourMethodCallExpr = "hour" oneArgument
        minuteMethodCallExpr = "minute" oneArgument
        secondMethodCallExpr = "second" oneArgument
        fractionalsecondsMethodCallExpr = "fractionalseconds" oneArgument
        totalsecondsMethodCallExpr = "totalseconds" oneArgument
        dateMethodCallExpr = "date" oneArgument
        timeMethodCallExpr = "time" oneArgument
        totalOffsetMinutesMethodCallExpr = "totaloffsetminutes" oneArgument
        minDateTimeMethodCallExpr = "mindatetime" noArguments
        maxDateTimeMethodCallExpr = "maxdatetime" noArguments
        nowMethodCallExpr = "now" noArguments
        roundMethodCallExpr = "round" oneArgument
        floorMethodCallExpr = "floor" oneArgument
        ceilingMethodCallExpr = "ceiling" oneArgument
        distanceMethodCallExpr = "geo.distance" twoArguments
        geoLengthMethodCallExpr = "geo.length" oneArgument
        intersectsMethodCallExpr = "geo.intersects" twoArguments
        hasSubsetMethodCallExpr = "hassubset" twoArguments
        hasSubsequenceMethodCallExpr = "hassubsequence" twoArguments
        caseMethodCallExpr = "case" OPEN caseBranch *( COMMA caseBranch ) CLOSE
        caseBranch = BWS boolCommonExpr BWS COLON BWS commonExpr BWS

        arrayOrObject = array / object
        array = begin-array [ valueInUrl *( value-separator valueInUrl ) ] end-array
        object = begin-object [ member *( value-separator member ) ] end-object
        member = stringInUrl name-separator valueInUrl
        valueInUrl = stringInUrl / commonExpr
        begin-object = BWS ( "{" / "%7B" ) BWS
        end-object = BWS ( "}" / "%7D" )
        begin-array = BWS ( "[" / "%5B" ) BWS
        end-array = BWS ( "]" / "%5D" )
        quotation-mark = DQUOTE / "%22"
        name-separator = BWS COLON BWS
        value-separator = BWS COMMA BWS
        stringInUrl = quotation-mark *charInJSON quotation-mark
        charInJSON = qchar-unescaped / qchar-JSON-special
          / escape ( quotation-mark / escape / "/" / "%2F" / %s"b" / %s"f" / %s"n" / %s"r" / %s"t" / %s"u" 4HEXDIG )
        qchar-JSON-special = SP / ":" / "{" / "}" / "[" / "]"
        escape = "\" / "%5C"
        """#
}
