extension SeamScript {
    /// Streams, their ETags and conflicts.
    static let streams = [
        SeamScript(
            "a media entity and its stream",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            PUT Photos(1)/$value hello
            stream Photos(1)/$value
              hello
            rows Photos
              {etag:e1 isLocal hasPendingChanges ID:1 Title:a}
            queue
              1 pending PUT Photos(1)/$value
            send
              1 PUT Photos(1)/$value If-Match: m1
            ok 1 etag=m2
            rows Photos
              {media:m2 isLocal ID:1 Title:a}
            PUT Photos(1)/$value again
            send
              2 PUT Photos(1)/$value If-Match: m2
            ok 2
            rows Photos
              {isLocal ID:1 Title:a}
            PUT Photos(1)/$value third
            send
              3 PUT Photos(1)/$value stale
            ok 3 etag=m3
            PATCH Photos(1) {"Title":"b"}
            send
              4 PATCH Photos(1) If-Match: * stale {"Title":"b"}
            """#
        ),
        SeamScript(
            "a media entity goes with its stream",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            DELETE Photos(1)/$value
            rows Photos
            queue
              1 pending DELETE Photos(1)
            send
              1 DELETE Photos(1) If-Match: e1
            fail 1 412
            drop 1
            rows Photos
              {etag:e1 media:m1 ID:1 Title:a}
            """#
        ),
        SeamScript(
            "what the service says of its streams comes back with an entity whose deletion is taken back",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            DELETE Photos(1)
            full Photos {"@odata.etag":"e2","@odata.mediaEtag":"m2","ID":1,"Title":"b"}
            merge
            drop 1
            rows Photos
              {etag:e2 media:m2 ID:1 Title:b}
            PUT Photos(1)/$value mine
            send
              2 PUT Photos(1)/$value If-Match: m2
            """#
        ),
        SeamScript(
            "the refused content of a new entity is corrected beside a change that waits for it",
            #"""
            query Photos Photos
            POST Photos bad
              -> Photos(A)
            PATCH Photos(A) {"Title":"t"}
            send
              1 POST Photos
            fail 1 415
            PUT Photos(A)/$value good
            queue
              1 pending POST Photos
              2 pending PATCH Photos(A) {"Title":"t"} after [1]
            stream Photos(A)/$value
              good
            """#
        ),
        SeamScript(
            "streams written one after the other",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            PUT Photos(1)/$value one
            PATCH Photos(1) {"Title":"b"}
            PUT Photos(1)/$value two
            PUT Photos(1)/Thumb small
            send
              1 PUT Photos(1)/$value If-Match: m1
            ok 1 etag=m2
            send
              2 PATCH Photos(1) If-Match: * stale {"Title":"b"}
            ok 2 etag=e2
            send
              3 PUT Photos(1)/$value If-Match: m2
            ok 3 etag=m3
            ok 4 etag=t2
            PUT Photos(1)/Thumb tiny
            send
              5 PUT Photos(1)/Thumb If-Match: t2
            rows Photos
              {media:m3 isLocal hasPendingChanges ID:1 Title:b}
            stream Photos(1)/$value
              two
            """#
        ),
        SeamScript(
            "a change of a stream is taken back",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            PUT Photos(1)/$value one
            PUT Photos(1)/$value two
            stream Photos(1)/$value
              two
            drop 2
            stream Photos(1)/$value
              one
            undo Photos(1)
            stream Photos(1)/$value
              204
            rows Photos
              {etag:e1 media:m1 ID:1 Title:a}
            PUT Photos(1)/$value three
            send
              3 PUT Photos(1)/$value If-Match: m1
            ok 3 etag=m2
            stream Photos(1)/$value
              three
            PUT Photos(1)/$value four
            drop 4
            stream Photos(1)/$value
              three
            """#
        ),
        SeamScript(
            "a refused stream is corrected",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","Thumb@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            PUT Photos(1)/Thumb one
            send
              1 PUT Photos(1)/Thumb If-Match: m1
            fail 1 400
            PUT Photos(1)/Thumb two
            queue
              1 pending PUT Photos(1)/Thumb
            stream Photos(1)/Thumb
              two
            send
              1 PUT Photos(1)/Thumb If-Match: m1
            fail 1 400
            DELETE Photos(1)/Thumb
            queue
              1 pending DELETE Photos(1)/Thumb
            stream Photos(1)/Thumb
              204
            drop 1
            queue
            """#
        ),
        SeamScript(
            "the conflict of a stream",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            PUT Photos(1)/$value one
            send
              1 PUT Photos(1)/$value If-Match: m1
            fail 1 412
            their-stream 1 etag=m5 theirs
            rows Photos
              {etag:e1 isLocal hasPendingChanges inErrorState hasConflict ID:1 Title:a}
            stream Photos(1)/$value
              one
            local Photos(1)
            send
              1 PUT Photos(1)/$value If-Match: m5
            fail 1 412
            their-stream 1 etag=m6 theirs6
            server Photos(1)
            stream Photos(1)/$value
              theirs6
            rows Photos
              {etag:e1 media:m6 ID:1 Title:a}
            queue
            """#
        ),
        SeamScript(
            "the conflict of an entity leaves the ETag of its stream",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":1,"Title":"a"}
            merge
            PUT Photos(1)/$value zero
            send
              1 PUT Photos(1)/$value If-Match: m1
            ok 1 etag=m2
            PATCH Photos(1) {"Title":"b"}
            PUT Photos(1)/$value one
            full Photos {"@odata.etag":"e7","@odata.mediaEtag":"m2","ID":1,"Title":"theirs"}
            merge
            local Photos(1)
            send
              2 PATCH Photos(1) If-Match: e7 {"Title":"b"}
            ok 2 etag=e8
            send
              3 PUT Photos(1)/$value If-Match: m2
            """#
        ),
        SeamScript(
            "a media entity is created",
            #"""
            query Photos Photos
            POST Photos hello
              -> Photos(A)
            PUT Photos(A)/Thumb small
            PATCH Photos(A) {"Title":"x"}
            queue
              1 pending POST Photos
              2 pending PUT Photos(A)/Thumb after [1]
              3 pending PATCH Photos(A) {"Title":"x"} after [2]
            send
              1 POST Photos
            ok 1 id=Photos(7) {"@odata.etag":"e1","@odata.mediaEtag":"m1","ID":7}
            rows Photos
              {etag:e1 media:m1 isLocal hasPendingChanges ID:7 Title:x}
            queue
              2 pending PUT Photos(A)/Thumb
              3 pending PATCH Photos(A) {"Title":"x"} after [2]
            send
              2 PUT Photos(7)/Thumb
            ok 2 etag=t1
            PUT Photos(7)/$value again
            send
              3 PATCH Photos(7) If-Match: * stale {"Title":"x"}
            ok 3 etag=e2
            send
              4 PUT Photos(7)/$value If-Match: m1
            """#
        ),
        SeamScript(
            "a media entity is created without a media ETag",
            #"""
            query Photos Photos
            POST Photos hello
              -> Photos(A)
            PUT Photos(A)/$value again
            send
              1 POST Photos
            ok 1 {"ID":7}
            send
              2 PUT Photos(7)/$value stale
            """#
        ),
        SeamScript(
            "a created media entity is deleted or taken back",
            #"""
            query Photos Photos
            POST Photos hello
              -> Photos(A)
            PUT Photos(A)/Thumb small
            undo Photos(A)
            queue
            rows Photos
            POST Photos hello
              -> Photos(B)
            DELETE Photos(B)
            queue
              3 pending POST Photos
              4 pending DELETE Photos(B) after [3]
            """#
        ),
        SeamScript(
            "a later change of a stream in conflict is made on what the service has",
            #"""
            query Photos Photos
            full Photos {"@odata.mediaEtag":"\"m1\"","ID":1}
            merge
            PUT Photos(1)/$value one
            send
              1 PUT Photos(1)/$value If-Match: "m1"
            PUT Photos(1)/$value two
            fail 1 412
            their-stream 1 etag="m2" theirs
            local Photos(1)
            queue
              1 pending PUT Photos(1)/$value
              2 pending PUT Photos(1)/$value after [1]
            send
              1 PUT Photos(1)/$value If-Match: "m2"
            """#
        ),
    ]
}
