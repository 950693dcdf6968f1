extension Grammar {
    /// Header values, punctuation, URIs and characters (OData 4.01 ABNF, sections 8 and 9; RFC 3986; RFC 5234).
    static let characterRules = #"""
        header = asyncresult / content-id / isolation / odata-entityid / odata-error / odata-maxversion / odata-version
          / prefer
        asyncresult = "AsyncResult" ":" OWS 3DIGIT
        content-id = "Content-ID" ":" OWS request-id
        isolation = [ "OData-" ] "Isolation" ":" OWS "snapshot"
        request-id = 1*unreserved
        odata-entityid = "OData-EntityID" ":" OWS IRI-in-header
        odata-error = "OData-Error" ":" OWS "{" DQUOTE %s"code" DQUOTE ":" *( VCHAR / SP )
        odata-maxversion = "OData-MaxVersion" ":" OWS 1*DIGIT "." 1*DIGIT
        odata-version = "OData-Version" ":" OWS "4.0" [ oneToNine ]
        prefer = "Prefer" ":" OWS preference *( OWS "," OWS preference )
        preference = allowEntityReferencesPreference / callbackPreference / continueOnErrorPreference
          / includeAnnotationsPreference / maxpagesizePreference / omitValuesPreference / respondAsyncPreference
          / returnPreference / trackChangesPreference / waitPreference
        allowEntityReferencesPreference = [ "odata." ] "allow-entityreferences"
        callbackPreference = [ "odata." ] "callback" OWS ";" OWS "url" EQ-h DQUOTE URI DQUOTE
        continueOnErrorPreference = [ "odata." ] "continue-on-error" [ EQ-h boolean ]
        includeAnnotationsPreference = [ "odata." ] "include-annotations" EQ-h DQUOTE annotationsList DQUOTE
        annotationsList = annotationIdentifier *( "," annotationIdentifier )
        annotationIdentifier = [ excludeOperator ] ( STAR / namespace "." ( termName / STAR ) ) [ "#" odataIdentifier ]
        excludeOperator = "-"
        maxpagesizePreference = [ "odata." ] "maxpagesize" EQ-h oneToNine *DIGIT
        omitValuesPreference = "omit-values" EQ-h ( "nulls" / "defaults" )
        respondAsyncPreference = "respond-async"
        returnPreference = "return" EQ-h ( %s"representation" / %s"minimal" )
        trackChangesPreference = [ "odata." ] "track-changes"
        waitPreference = "wait" EQ-h 1*DIGIT
        obs-text = %x80-FF
        identifierLeadingCharacter = ALPHA / "_"
        identifierCharacter = ALPHA / "_" / DIGIT
        OWS = *( SP / HTAB )
        BWS-h = *( SP / HTAB )
        EQ-h = BWS-h EQ BWS-h

        RWS = 1*( SP / HTAB / "%20" / "%09" )
        BWS = *( SP / HTAB / "%20" / "%09" )
        AT = "@" / "%40"
        COLON = ":" / "%3A"
        COMMA = "," / "%2C"
        EQ = "="
        HASH = "%23"
        SIGN = "+" / "%2B" / "-"
        SEMI = ";" / "%3B"
        STAR = "*" / "%2A"
        SQUOTE = "'" / "%27"
        OPEN = "(" / "%28"
        CLOSE = ")" / "%29"

        URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
        hier-part = "//" authority path-abempty / path-absolute / path-rootless
        scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
        authority = [ userinfo "@" ] host [ ":" port ]
        userinfo = *( unreserved / pct-encoded / sub-delims / ":" )
        host = IP-literal / IPv4address / reg-name
        port = *DIGIT
        IP-literal = "[" ( IPv6address / IPvFuture ) "]"
        IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
        IPv6address = 6( h16 ":" ) ls32 / "::" 5( h16 ":" ) ls32 / [ h16 ] "::" 4( h16 ":" ) ls32
          / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32 / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
          / [ *3( h16 ":" ) h16 ] "::" h16 ":" ls32 / [ *4( h16 ":" ) h16 ] "::" ls32
          / [ *5( h16 ":" ) h16 ] "::" h16 / [ *6( h16 ":" ) h16 ] "::"
        h16 = 1*4HEXDIG
        ls32 = h16 ":" h16 / IPv4address
        IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
        dec-octet = "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35 / %x31-39 DIGIT / DIGIT
        reg-name = *( unreserved / pct-encoded / sub-delims )
        path-abempty = *( "/" segment )
        path-absolute = "/" [ segment-nz *( "/" segment ) ]
        path-rootless = segment-nz *( "/" segment )
        segment = *pchar
        segment-nz = 1*pchar
        pchar = unreserved / pct-encoded / sub-delims / ":" / "@"
        query = *( pchar / "/" / "?" )
        fragment = *( pchar / "/" / "?" )
        pct-encoded = "%" HEXDIG HEXDIG
        unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"
        sub-delims = "$" / "&" / "'" / "=" / other-delims
        other-delims = "!" / "(" / ")" / "*" / "+" / "," / ";"

        pchar-no-SQUOTE = unreserved / pct-encoded-no-SQUOTE / other-delims / "$" / "&" / "=" / ":" / "@"
        pct-encoded-no-SQUOTE = "%" ( "0" / "1" / "3" / "4" / "5" / "6" / "7" / "8" / "9" / A-to-F ) HEXDIG
          / "%2" ( %x30-36 / "8" / "9" / A-to-F )
        qchar-no-AMP = unreserved / pct-encoded / other-delims / ":" / "@" / "/" / "?" / "$" / "'" / "="
        qchar-no-AMP-EQ = unreserved / pct-encoded / other-delims / ":" / "@" / "/" / "?" / "$" / "'"
        qchar-no-AMP-EQ-AT-DOLLAR = unreserved / pct-encoded / other-delims / ":" / "/" / "?" / "'"
        qchar-no-AMP-SQUOTE = unreserved / pct-encoded / other-delims / ":" / "@" / "/" / "?" / "$" / "="
        qchar-no-AMP-DQUOTE = unreserved / pct-encoded-no-DQUOTE / other-delims / ":" / "@" / "/" / "?" / "$" / "'" / "="
        qchar-unescaped = unreserved / pct-encoded-unescaped / other-delims / ":" / "@" / "/" / "?" / "$" / "'" / "="
        pct-encoded-unescaped = "%" ( "0" / "1" / "3" / "4" / "6" / "7" / "8" / "9" / A-to-F ) HEXDIG
          / "%2" ( "0" / "1" / %x33-39 / A-to-F ) / "%5" ( DIGIT / "A" / "B" / "D" / "E" / "F" )
        pct-encoded-no-DQUOTE = "%" ( "0" / "1" / %x33-39 / A-to-F ) HEXDIG / "%2" ( "0" / "1" / %x33-39 / A-to-F )

        IRI-in-header = 1*( VCHAR / obs-text )
        IRI-in-query = 1*qchar-no-AMP
        ALPHA = %x41-5A / %x61-7A
        DIGIT = %x30-39
        HEXDIG = DIGIT / A-to-F
        A-to-F = %x41-46 / %x61-66
        DQUOTE = %x22
        SP = %x20
        HTAB = %x09
        VCHAR = %x21-7E
        """#
}
