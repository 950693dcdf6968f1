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
              error: the key of Orders(A) is not open: only an entity that the service created without returning its key, or without an answer, can be named
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
        SeamScript(
            "what names an entity whose key is not told by its value waits for the key",
            #"""
            query Memos Memos
            POST Tags {"Name":"a"}
              -> Tags('a')
            send
              1 POST Tags {"Name":"a"}
            ok 1
            POST Memos {"Text":"m","TagName":"a"}
              -> Memos(A)
            queue
              2 pending POST Memos {"Text":"m","TagName":"a"}
            send
            queue
              2 parked POST Memos {"Text":"m","TagName":"a"} answered 0
            identify Tags('a') Tags('b')
            send
              2 POST Memos {"Text":"m","TagName":"b"}
            """#
        ),
        SeamScript(
            "what an answer does not show of the entities inside has no key",
            #"""
            query Orders Orders
            POST Orders {"ID":1,"Items":[{"ID":5,"Text":"a"}]}
              -> Orders(1)
            PATCH Items(5) {"Text":"b"}
            send
              1 POST Orders {"ID":1,"Items":[{"ID":5,"Text":"a"}]}
            ok 1 {"ID":1}
            send
            queue
              2 parked PATCH Items(5) {"Text":"b"} answered 0
            """#
        ),
        SeamScript(
            "the ids of what stands inside of a new entity follow its key",
            #"""
            POST Cards {"Name":"a"}
              -> Cards('a')
            POST Cards('a')/Lines {"No":1}
              -> Cards('a')/Lines(1)
            POST Cards('a')/Lines(1)/Parts {"No":2}
              -> Cards('a')/Lines(1)/Parts(2)
            send
              1 POST Cards {"Name":"a"}
            ok 1 {"Name":"b"}
            ids Cards('b')/Lines
              Cards('b')/Lines(1)
            ids Cards('b')/Lines(1)/Parts
              Cards('b')/Lines(1)/Parts(2)
            """#
        ),
        SeamScript(
            "links to what has come before its answer stay with it",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            POST Tags {"Name":"a","Color":"c"}
              -> Tags('a')
            send
              1 POST Tags {"Name":"a","Color":"c"}
            full Orders {"ID":1,"Tags":[{"Name":"x","Color":"d"}]}
            merge
            ok 1 {"Name":"x"}
            rows Orders?$expand=Tags
              {ID:1 Tags:[{isLocal Name:x Color:c}]}
            rows Tags
              {isLocal Name:x Color:c}
            full Orders {"ID":1,"Tags":[]}
            merge
            rows Orders?$expand=Tags
              {ID:1 Tags:[]}
            """#
        ),
        SeamScript(
            "what stands inside of an entity without key waits for the key",
            #"""
            query Cards Cards
            POST Cards {"Name":"a","Title":"t","Lines":[{"No":1}]}
              -> Cards('a')
            PATCH Cards('a')/Lines(1) {"Text":"x"}
            send
              1 POST Cards {"Name":"a","Title":"t","Lines":[{"No":1}]}
            ok 1 {"Title":"t","Lines":[{"No":1}]}
            send
            queue
              2 parked PATCH Cards('a')/Lines(1) {"Text":"x"} answered 0
            identify Cards('a') Cards('b')
            send
              2 PATCH Cards('b')/Lines(1) If-Match: * {"Text":"x"}
            """#
        ),
        SeamScript(
            "a service that has replaced a key once is not trusted with another",
            #"""
            query Tags Tags
            POST Tags {"Name":"a"}
              -> Tags('a')
            send
              1 POST Tags {"Name":"a"}
            ok 1 {"Name":"x"}
            POST Tags {"Name":"b"}
              -> Tags('b')
            send
              2 POST Tags {"Name":"b"}
            ok 2 {"Name":"b"}
            tx=t POST Tags {"Name":"c"}
              -> Tags('c')
            tx=t POST Memos {"Text":"m","TagName":"c"}
              -> Memos(A)
            send
              set 1: 3 POST Tags {"Name":"c"}
              set 1: 4 POST $1/Memos {"Text":"m"}
            """#
        ),
        SeamScript(
            "a call waits for every entity that its parameters name",
            #"""
            POST Tags {"Name":"a"}
              -> Tags('a')
            POST Tags {"Name":"b"}
              -> Tags('b')
            POST gather {"tags":[{"Name":"a"},{"Name":"b"}]}
            queue
              1 pending POST Tags {"Name":"a"}
              2 pending POST Tags {"Name":"b"}
              3 pending POST gather {"tags":[{"Name":"a"},{"Name":"b"}]} after [1, 2]
            send
              1 POST Tags {"Name":"a"}
              2 POST Tags {"Name":"b"}
            ok 1 {"Name":"x"}
            ok 2 {"Name":"y"}
            queue
              3 pending POST gather {"tags":[{"Name":"x"},{"Name":"y"}]}
            """#
        ),
        SeamScript(
            "an entity whose values several of an answer have is none of them",
            #"""
            query Orders Orders
            POST Orders {"ID":1,"Items":[{"ID":5,"Text":"a","Marks":[{"No":1,"Text":"x"}]},{"ID":6,"Text":"b"}]}
              -> Orders(1)
            PATCH Items(5) {"Text":"c"}
            send
              1 POST Orders {"ID":1,"Items":[{"ID":5,"Text":"a","Marks":[{"No":1,"Text":"x"}]},{"ID":6,"Text":"b"}]}
            ok 1 {"ID":1,"Items":[{"ID":11,"Text":"a","Marks":[{"No":1,"Text":"q"}]},{"ID":12,"Text":"a","Marks":[{"No":1,"Text":"q"}]}]}
            send
            queue
              2 parked PATCH Items(5) {"Text":"c"} answered 0
            """#
        ),
        SeamScript(
            "an entity that was known before is none that was created since",
            #"""
            query Memos Memos
            query Tags Tags
            full Memos {"ID":1,"Text":"m"}
            merge
            POST Memos {"Text":"m"}
              -> Memos(A)
            send
              1 POST Memos {"Text":"m"}
            ok 1
            full Memos {"ID":1,"Text":"m"}
            merge
            rows Memos
              {ID:1 Text:m}
              {isLocal Text:m Marks:[]}
            full Memos {"ID":1,"Text":"m"} {"ID":2,"Text":"m"}
            merge
            rows Memos
              {ID:1 Text:m}
              {ID:2 Text:m}
            ids Memos
              none
              none
            """#
        ),
        SeamScript(
            "what stands two levels inside of an entity without key waits for the key",
            #"""
            query Cards Cards
            POST Cards {"Name":"a","Title":"x","Lines":[{"No":1,"Parts":[{"No":2,"Text":"a"}]}]}
              -> Cards('a')
            send
              1 POST Cards {"Name":"a","Title":"x","Lines":[{"No":1,"Parts":[{"No":2,"Text":"a"}]}]}
            PATCH Cards('a')/Lines(1)/Parts(2) {"Text":"b"}
            ok 1 {"Title":"x","Lines":[{"No":1,"Parts":[{"No":2}]}]}
            send
            queue
              2 parked PATCH Cards('a')/Lines(1)/Parts(2) {"Text":"b"} answered 0
            identify Cards('a') Cards('k')
            send
              2 PATCH Cards('k')/Lines(1)/Parts(2) If-Match: * {"Text":"b"}
            """#
        ),
        SeamScript(
            "a creation without values is not taken for another entity",
            #"""
            query Memos Memos
            POST Memos {}
              -> Memos(A)
            send
              1 POST Memos {}
            ok 1
            delta Memos {"ID":7,"Text":"x"}
            merge
            rows Memos
              {ID:7 Text:x}
            """#
        ),
        SeamScript(
            "a key is taken from an address with a fragment",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a"}
            ok 1 id=http://service/Orders(7)#top
            rows Orders
              {isLocal ID:7 Title:a}
            """#
        ),
    ]
}
