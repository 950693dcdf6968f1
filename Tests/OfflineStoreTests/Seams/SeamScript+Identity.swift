extension SeamScript {
    /// Keys that the service gives, replaces or does not tell.
    static let identities = [
        SeamScript(
            "a creation answered with an entity already held is that entity",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"@odata.etag":"1","ID":1,"Title":"held"}
            full Items {"ID":10,"OrderID":1}
            merge
            POST Orders {"Title":"new"}
              -> Orders(A)
            PATCH Orders(A) {"Price":2}
            send
              1 POST Orders {"Title":"new"}
            ok 1 etag=2 {"ID":1,"Title":"new"}
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:new Price:2}
            rows Orders(A)
              {etag:2 isLocal hasPendingChanges ID:1 Title:new Price:2}
            rows Orders(1)/Items
              {ID:10 OrderID:1}
            delta Orders {"@odata.etag":"3","ID":1,"Title":"again"}
            merge
            rows Orders
              {etag:2 isLocal hasPendingChanges hasConflict ID:1 Title:new Price:2}
            send
              2 PATCH Orders(1) If-Match: 2 {"Price":2}
            ok 2 etag=4
            delta Orders {"@odata.etag":"4","ID":1,"Title":"again","Price":2}
            merge
            rows Orders
              {etag:4 ID:1 Title:again Price:2}
            rows Orders(A)
              {etag:4 ID:1 Title:again Price:2}
            queue
            """#
        ),
        SeamScript(
            "requests follow a key other than the one sent",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1}
            merge
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"g"}
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            DELETE Tags('t')
            queue
              1 pending POST Tags {"Name":"t","Color":"r"}
              2 pending PATCH Tags('t') {"Color":"g"} after [1]
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"} after [1]
              4 pending DELETE Tags('t') after [1, 2, 3]
            send
              1 POST Tags {"Name":"t","Color":"r"}
            ok 1 etag=1 {"Name":"T1","Color":"r"}
            queue
              2 pending PATCH Tags('T1') {"Color":"g"}
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('T1')"}
              4 pending DELETE Tags('T1') after [2, 3]
            send
              2 PATCH Tags('T1') If-Match: 1 {"Color":"g"}
              3 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('T1')"}
            ok 2 etag=2
            rows Tags
            """#
        ),
        SeamScript(
            "a key told later takes back what waited under the one sent",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"g"}
            send
              1 POST Tags {"Name":"t","Color":"r"}
            ok 1 {"Name":"T1","Color":"r"}
            drop 2
            rows Tags
              {isLocal Name:T1 Color:r}
            rows Tags('t')
              404
            """#
        ),
        SeamScript(
            "a key that is not told is named by hand",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a"}
              -> Orders(A)
            PATCH Orders(A) {"Price":2}
            POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            send
              1 POST Orders {"Title":"a"}
            ok 1
            send
            queue
              2 parked PATCH Orders(A) {"Price":2} answered 0
              3 parked POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} answered 0
            identify Orders(A) Items(4)
              error: 'Items(4)' is no URL of an entity of Orders, e.g. Orders(1)
            identify Orders(A) Orders(9)
            queue
              2 pending PATCH Orders(A) {"Price":2}
              3 pending POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
            rows Orders
              {isLocal hasPendingChanges ID:9 Title:a Price:2}
            send
              2 PATCH Orders(9) If-Match: * {"Price":2}
              3 POST Items {"Text":"x","Order@odata.bind":"Orders(9)"}
            ok 2
            identify Orders(A) Orders(10)
              error: the key of Orders(A) is not open: only an entity that the service created without telling its key, or without an answer, can be named
            """#
        ),
        SeamScript(
            "a deep insert takes over the keys of its children",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a","Items":[{"Text":"x"},{"Text":"y"}]}
              -> Orders(A)
            rows Items
              {isLocal hasPendingChanges Text:x}
              {isLocal hasPendingChanges Text:y}
            ids Items
              Items(B)
              Items(C)
            PATCH Items(B) {"Text":"z"}
            send
              1 POST Orders {"Title":"a","Items":[{"Text":"x"},{"Text":"y"}]}
            ok 1 {"ID":7,"Title":"a","Items":[{"@odata.etag":"5","ID":71,"Text":"y"},{"@odata.etag":"6","ID":70,"Text":"x"}]}
            rows Items
              {etag:6 isLocal hasPendingChanges ID:70 Text:z OrderID:7}
              {etag:5 isLocal ID:71 Text:y OrderID:7}
            send
              2 PATCH Items(70) If-Match: 6 {"Text":"z"}
            ok 2
            delta Items {"ID":70,"Text":"z","OrderID":7} {"ID":71,"Text":"y","OrderID":7}
            merge
            rows Items
              {ID:70 Text:z OrderID:7}
              {etag:5 ID:71 Text:y OrderID:7}
            """#
        ),
        SeamScript(
            "a foreign key by value follows the key of its parent",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":6}
            full Items {"ID":60,"OrderID":5}
            merge
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Items {"ID":61,"Text":"x","OrderID":5}
              -> Items(61)
            PATCH Items(60) {"Text":"theirs"}
            queue
              1 pending POST Orders {"ID":5,"Title":"a"}
              2 pending POST Items {"ID":61,"Text":"x","OrderID":5} after [1]
              3 pending PATCH Items(60) {"Text":"theirs"}
            send
              1 POST Orders {"ID":5,"Title":"a"}
              3 PATCH Items(60) If-Match: * stale {"Text":"theirs"}
            ok 1 {"ID":50,"Title":"a"}
            rows Items
              {isLocal hasPendingChanges ID:60 Text:theirs OrderID:5}
              {isLocal hasPendingChanges ID:61 Text:x OrderID:50}
            send
              2 POST Items {"ID":61,"Text":"x","OrderID":50}
            ok 2 {"ID":61,"Text":"x","OrderID":50}
            rows Orders(50)/Items
              {isLocal ID:61 Text:x OrderID:50}
            """#
        ),
        SeamScript(
            "a Guid of the service stays when a later change is taken back",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            PATCH Orders(A) {"Title":"b"}
            PATCH Orders(A) {"Price":1}
            send
              1 POST Orders {"Title":"a"}
            ok 1 etag=1 {"ID":7,"Title":"a"}
            send
              2 PATCH Orders(7) If-Match: 1 {"Title":"b"}
            ok 2 etag=2
            drop 3
            rows Orders
              {etag:2 isLocal ID:7 Title:b}
            rows Orders(A)
              {etag:2 isLocal ID:7 Title:b}
            PATCH Orders(7) {"Price":3}
            send
              4 PATCH Orders(7) If-Match: 2 {"Price":3}
            """#
        ),
        SeamScript(
            "what was sent is named by its key when a later change is taken back",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a"}
            PATCH Orders(A) {"Title":"b"}
            ok 1 etag=1 {"ID":5,"Title":"a"}
            ids Orders
              none
            undo Orders(5)
            ids Orders
              none
            """#
        ),
        SeamScript(
            "a creation that gave its key to another is sent all the same",
            #"""
            query Orders Orders
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Orders {"ID":6,"Title":"b"}
              -> Orders(6)
            send
              1 POST Orders {"ID":5,"Title":"a"}
              2 POST Orders {"ID":6,"Title":"b"}
            ok 1 etag=1 {"ID":6,"Title":"a"}
            back 2
            send
              2 POST Orders {"ID":6,"Title":"b"}
            queue
              2 sending POST Orders {"ID":6,"Title":"b"}
            """#
        ),
    ]
}
