extension SeamScript {
    /// Transactions, categories, header templates and conditions.
    static let groups = [
        SeamScript(
            "calls that belong to no entity have groups of a name only",
            #"""
            POST Orders {"Title":"a"}
              -> Orders(A)
            tx=t cat=c POST attach {"tag":"x"}
            tx=@ POST attach {"tag":"x"}
              400 'only a call on an entity can be grouped by an entity'
            cat=@Orders(A) POST attach {"tag":"x"}
              400 'only a call on an entity can be grouped by an entity'
            tx=@ PATCH Orders(A) {"Title":"b"}
            cat=@Orders(9) PATCH Orders(A) {"Title":"c"}
              404 'the entity that names the group is not in the store: Orders(9)'
            POST attach {"tog":"x"}
              400 'S.attach has no parameter tog'
            POST attach []
              400 'the body is no JSON object of parameters'
            POST attach {}
            POST Orders(A)/S.close {}
            queue
              1 pending POST Orders {"Title":"a"}
              2 pending POST attach {"tag":"x"}
              3 pending PATCH Orders(A) {"Title":"b"} after [1]
              4 pending POST attach {}
              5 pending POST Orders(A)/S.close {} after [1, 3]
            """#
        ),
        SeamScript(
            "a group is named by an entity, also by the one that is created",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            tx=@ PATCH Orders(1) {"Title":"b"}
            tx=@Orders(1) PATCH Tags('t') {"Color":"c"}
            tx=@ POST Orders {"Title":"new"}
              -> Orders(A)
            tx=@Orders(A) POST Items {"Text":"i","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending PATCH Tags('t') {"Color":"c"}
              3 pending POST Orders {"Title":"new"}
              4 pending POST Items {"Text":"i","Order@odata.bind":"Orders(A)"} after [3]
            send
              set 1: 1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
              set 1: 2 PATCH Tags('t') If-Match: * stale {"Color":"c"}
              set 2: 3 POST Orders {"Title":"new"}
              set 2: 4 POST $3/Items {"Text":"i"}
            """#
        ),
        SeamScript(
            "a change is made on the condition of its ETag",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"W/\"1\"","ID":1,"Title":"a"} {"ID":2}
            merge
            if=W/"2" PATCH Orders(1) {"Title":"b"}
              412 'the entity in the store has another ETag'
            if="1" PATCH Orders(1) {"Title":"b"}
            if=W/"1" PATCH Orders(1) {"Title":"b"}
              412 'the entity in the store has another ETag'
            if=W/"1" PATCH Orders(2) {"Title":"b"}
              412 'the store knows no ETag of the entity'
            if=* PATCH Orders(2) {"Title":"c"}
            if=W/"9" DELETE Orders(1)
              412 'the entity in the store has another ETag'
            if=nonsense DELETE Orders(1)
              400 'If-Match is no list of entity tags'
            PATCH Orders(1) {"ID":5}
            PATCH Orders {"Title":"b"}
              405 'PATCH is not allowed on a collection; give the key of one entity'
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending PATCH Orders(2) {"Title":"c"}
              3 pending PATCH Orders(1) {} after [1]
            """#
        ),
        SeamScript(
            "a header template leaves the place of what is gone empty",
            #"""
            query Tags Tags
            query Orders Orders
            full Tags {"Name":"t","Color":"r"}
            full Orders {"ID":1,"Title":"a"}
            merge
            template=X-C:<{Tags('t')/Color}> PATCH Orders(1) {"Title":"b"}
            delta Tags {"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"}
            merge
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"} X-C: <>
            """#
        ),
        SeamScript(
            "a header template waits for the key that it names",
            #"""
            template=X-ID:{ID} POST Orders {"Title":"a"}
              400 'X-ID names ID, which the service gives only when it answers this request'
            POST Orders {"Title":"b"}
              -> Orders(A)
            template=X-ID:{Orders(A)/ID} POST Tags {"Name":"t"}
              -> Tags('t')
            queue
              1 pending POST Orders {"Title":"b"}
              2 pending POST Tags {"Name":"t"} after [1] [ X-ID: {Orders(A)/ID}]
            send
              1 POST Orders {"Title":"b"}
            ok 1
            send
            queue
              2 parked POST Tags {"Name":"t"} answered 0 [ X-ID: {Orders(A)/ID}]
            """#
        ),
        SeamScript(
            "a header template leaves the place of a null empty",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            template=X-Title:{Title}-{Price}. PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"} X-Title: b-.
            """#
        ),
        SeamScript(
            "a transaction and a request between its members wait for each other",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1} {"ID":5}
            full Items {"ID":1,"OrderID":1}
            merge
            tx=t PATCH Items(1) {"Text":"a"}
            header=X:1 PATCH Items(1) {"Text":"b","Order@odata.bind":"Orders(5)"}
            tx=t DELETE Orders(5)
            queue
              1 pending PATCH Items(1) {"Text":"a"}
              2 pending PATCH Items(1) {"Text":"b","Order@odata.bind":"Orders(5)"} after [1] [X: 1]
              3 pending DELETE Orders(5) after [1, 2]
            send
              [1, 2, 3] cannot go: circle(["request 2", "t"])
            drop 2
            send
            """#
        ),
        SeamScript(
            "replacements of crossing transactions become one",
            #"""
            query Items Items
            full Items {"ID":1} {"ID":2}
            merge
            tx=t PATCH Items(1) {"Text":"a"}
            tx=u PATCH Items(2) {"Text":"c"}
            tx=u PUT Items(1) {"Text":"b","Code":null}
            tx=t PUT Items(2) {"Text":"d","Code":null}
            queue
              1 pending PATCH Items(1) {"Text":"a"}
              2 pending PATCH Items(2) {"Text":"c"}
              3 pending PUT Items(1) {"Text":"b"} after [1]
              4 pending PUT Items(2) {"Text":"d"} after [2]
            send
              set 1: 1 PUT Items(1) If-Match: * stale {"Text":"b"}
              set 1: 2 PUT Items(2) If-Match: * stale {"Text":"d"}
            queue
              1 sending PUT Items(1) {"Text":"b"}
              2 sending PUT Items(2) {"Text":"d"}
            rows Items
              {isLocal hasPendingChanges ID:1 Text:b}
              {isLocal hasPendingChanges ID:2 Text:d}
            """#
        ),
        SeamScript(
            "a link that crossing transactions add and remove has no order",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1} {"ID":2}
            full Tags {"Name":"t"}
            merge
            tx=t POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            tx=u POST Orders(2)/Tags/$ref {"@odata.id":"Tags('t')"}
            tx=u DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            tx=t DELETE Orders(2)/Tags/$ref?$id=Tags('t')
            queue
              1 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
              2 pending POST Orders(2)/Tags/$ref {"@odata.id":"Tags('t')"}
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('t') after [1]
              4 pending DELETE Orders(2)/Tags/$ref?$id=Tags('t') after [2]
            send
              [1, 2, 3, 4] cannot go: circle(["t", "u"])
            queue
              1 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
              2 pending POST Orders(2)/Tags/$ref {"@odata.id":"Tags('t')"}
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('t') after [1]
              4 pending DELETE Orders(2)/Tags/$ref?$id=Tags('t') after [2]
            """#
        ),
        SeamScript(
            "a transaction takes no second request for an entity",
            #"""
            query Photos Photos
            full Photos {"@odata.mediaEtag":"m","ID":1}
            merge
            tx=t PATCH Photos(1) {"Title":"a"}
            tx=t PUT Photos(1)/$value one
              400 'transaction t has request 1 for this entity already, and the two cannot be made one: a transaction holds one request for each entity'
            tx=t PUT Photos(1)/Thumb small
              400 'transaction t has request 1 for this entity already, and the two cannot be made one: a transaction holds one request for each entity'
            queue
              1 pending PATCH Photos(1) {"Title":"a"}
            send
              set 1: 1 PATCH Photos(1) If-Match: * stale {"Title":"a"}
            """#
        ),
        SeamScript(
            "members of a change set name the others as far as they can",
            #"""
            tx=t POST Cards {"Name":"a"}
              -> Cards('a')
            tx=t POST Notes {"Day":1,"No":1,"Card@odata.bind":"Cards('a')"}
              -> Notes(Day=1,No=1)
            tx=t POST Cards {"Name":"b","Peers@odata.bind":["Cards('a')"]}
              -> Cards('b')
            tx=t POST Cards('b')/Peers/$ref {"@odata.id":"Cards('a')"}
            tx=t POST Cards('b')/Lines {"No":1}
              -> Cards('b')/Lines(1)
            queue
              1 pending POST Cards {"Name":"a"}
              2 pending POST Notes {"Day":1,"No":1,"Card@odata.bind":"Cards('a')"} after [1]
              3 pending POST Cards {"Name":"b","Peers@odata.bind":["Cards('a')"]} after [1]
              4 pending POST Cards('b')/Peers/$ref {"@odata.id":"Cards('a')"} after [1, 3]
              5 pending POST Cards('b')/Lines {"No":1} after [3]
            send
              set 1 cannot go: bodyReference
              set 1: 1 POST Cards {"Name":"a"}
              set 1: 2 POST $1/Notes {"Day":1,"No":1}
              set 1: 3 POST $1/PeerOf {"Name":"b"}
              set 1: 4 POST $3/Peers/$ref {"@odata.id":"http://service/Cards('a')"}
              set 1: 5 POST $3/Lines {"No":1}
            """#
        ),
        SeamScript(
            "a member of a change set cannot name two others",
            #"""
            tx=t POST Cards {"Name":"a"}
              -> Cards('a')
            tx=t POST Tags {"Name":"t"}
              -> Tags('t')
            tx=t POST Notes {"Day":1,"No":1,"Card@odata.bind":"Cards('a')"}
              -> Notes(Day=1,No=1)
            tx=t POST Cards {"Name":"c","Tag@odata.bind":"Tags('t')","PeerOf@odata.bind":["Cards('a')"]}
              -> Cards('c')
            send
              set 1 cannot go: bodyReference
              set 1: 1 POST Cards {"Name":"a"}
              set 1: 2 POST Tags {"Name":"t"}
              set 1: 3 POST $1/Notes {"Day":1,"No":1}
              set 1: 4 POST Cards {"Name":"c","PeerOf@odata.bind":["Cards('a')"],"Tag@odata.bind":"Tags('t')"}
            """#
        ),
        SeamScript(
            "a member of a change set names another by its foreign key",
            #"""
            tx=t POST Orders {"ID":7,"Title":"a"}
              -> Orders(7)
            tx=t POST Items {"ID":8,"Text":"x","OrderID":7}
              -> Items(8)
            tx=t POST Items {"ID":9,"Text":"x","OrderID":6}
              -> Items(9)
            send
              set 1: 1 POST Orders {"ID":7,"Title":"a"}
              set 1: 2 POST $1/Items {"ID":8,"Text":"x"}
              set 1: 3 POST Items {"ID":9,"Text":"x","OrderID":6}
            """#
        ),
        SeamScript(
            "a unit is sent again as what it was",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            tx=t PATCH Orders(1) {"Title":"b"}
            tx=t POST Orders {"Title":"c"}
              -> Orders(A)
            POST Tags {"Name":"t"}
              -> Tags('t')
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              set 1: 2 POST Orders {"Title":"c"}
              3 POST Tags {"Name":"t"}
            resume
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              set 1: 2 POST Orders {"Title":"c"}
              3 POST Tags {"Name":"t"}
            ok 3
            resume
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              set 1: 2 POST Orders {"Title":"c"}
            """#
        ),
        SeamScript(
            "a parameter of a call names a created entity",
            #"""
            POST Tags {"Color":"r"}
              -> Tags(A)
            POST attach {"tag":"Tags(A)"}
            queue
              1 pending POST Tags {"Color":"r"}
              2 pending POST attach {"tag":"Tags(A)"} after [1]
            send
              1 POST Tags {"Color":"r"}
            ok 1 {"Name":"t"}
            send
              2 POST attach {"tag":"Tags('t')"}
            """#
        ),
        SeamScript(
            "a child of a parent without key is replaced",
            #"""
            query Tags Tags
            POST Tags {"Color":"r"}
              -> Tags(A)
            POST Memos {"ID":1,"Text":"m","Tag@odata.bind":"Tags(A)"}
              -> Memos(1)
            rows Memos
              {isLocal hasPendingChanges ID:1 Text:m Marks:[]}
            PUT Memos(1) {"Text":"n"}
            rows Memos(1)/Tag
              {isLocal hasPendingChanges Color:r}
            queue
              1 pending POST Tags {"Color":"r"}
              2 pending POST Memos {"ID":1,"Text":"m","Tag@odata.bind":"Tags(A)"} after [1]
              3 pending PUT Memos(1) {"Text":"n"} after [2]
            POST Orders {"Title":"a"}
              -> Orders(B)
            POST Items {"ID":9,"Text":"x","Order@odata.bind":"Orders(B)"}
              -> Items(9)
            PUT Items(9) {"Text":"y"}
            queue
              1 pending POST Tags {"Color":"r"}
              2 pending POST Memos {"ID":1,"Text":"m","Tag@odata.bind":"Tags(A)"} after [1]
              3 pending PUT Memos(1) {"Text":"n"} after [2]
              4 pending POST Orders {"Title":"a"}
              5 pending POST Items {"ID":9,"Text":"x","Order@odata.bind":"Orders(B)"} after [4]
              6 pending PUT Items(9) {"Text":"y"} after [5]
            rows Memos
              {isLocal hasPendingChanges ID:1 Text:n Marks:[]}
            rows Items
              {isLocal hasPendingChanges ID:9 Text:y}
            """#
        ),
        SeamScript(
            "a child of a parent whose GUID is given by the service is replaced",
            #"""
            POST Boxes {"Text":"b"}
              -> Boxes(A)
            POST Memos {"ID":1,"Text":"m","Box@odata.bind":"Boxes(A)"}
              -> Memos(1)
            PUT Memos(1) {"Text":"n"}
            queue
              1 pending POST Boxes {"Text":"b"}
              2 pending POST Memos {"ID":1,"Text":"m","Box@odata.bind":"Boxes(A)"} after [1]
              3 pending PUT Memos(1) {"Text":"n"} after [2]
            send
              1 POST Boxes {"Text":"b"}
            ok 1 {"ID":"11111111-2222-3333-4444-555555555555","Text":"b"}
            send
              2 POST Memos {"ID":1,"Text":"m","Box@odata.bind":"Boxes(11111111-2222-3333-4444-555555555555)"}
            rows Memos
              {isLocal hasPendingChanges ID:1 Text:n Marks:[] BoxID:11111111-2222-3333-4444-555555555555}
            """#
        ),
        SeamScript(
            "an upsert carries its condition once",
            #"""
            PUT Tags('t') {"Color":"r"}
              -> Tags('t')
            if-none PUT Tags('u') {"Color":"r"}
              -> Tags('u')
            header=If-None-Match:"x" if-none PUT Tags('v') {"Color":"r"}
              -> Tags('v')
            queue
              1 pending PUT Tags('t') {"Name":"t","Color":"r"}
              2 pending PUT Tags('u') {"Name":"u","Color":"r"} [If-None-Match: *]
              3 pending PUT Tags('v') {"Name":"v","Color":"r"} [If-None-Match: "x"]
            send
              1 PUT Tags('t') {"Name":"t","Color":"r"}
              2 PUT Tags('u') {"Name":"u","Color":"r"} If-None-Match: *
              3 PUT Tags('v') {"Name":"v","Color":"r"} If-None-Match: "x"
            ok 1
            rows Tags
              {isLocal Name:t Color:r}
              {isLocal hasPendingChanges Name:u Color:r}
              {isLocal hasPendingChanges Name:v Color:r}
            """#
        ),
        SeamScript(
            "a round that has not left is given back",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1} {"@odata.etag":"1","ID":2} {"@odata.etag":"1","ID":3}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(2) {"Title":"b"}
            PATCH Orders(3) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
              3 PATCH Orders(3) If-Match: 1 {"Title":"b"}
            fail 2 400
            hold 1 2 9
            give-back
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 failed PATCH Orders(2) {"Title":"b"} answered 400
              3 sending PATCH Orders(3) {"Title":"b"}
            """#
        ),
        SeamScript(
            "a local id that the store does not know is not sent in a body",
            #"""
            POST attach {"tag":"Tags($local='00000000000000000000000000000000')"}
            send
            queue
              1 parked POST attach {"tag":"Tags(A)"} answered 0
            """#
        ),
        SeamScript(
            "a circle of two categories is chosen by either",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1} {"ID":5}
            full Items {"ID":1,"OrderID":1}
            merge
            tx=t PATCH Items(1) {"Text":"a"}
            cat=c header=X:1 PATCH Items(1) {"Text":"b","Order@odata.bind":"Orders(5)"}
            tx=t DELETE Orders(5)
            send c
              [1, 2, 3] cannot go: circle(["request 2", "t"])
            queue
              1 pending PATCH Items(1) {"Text":"a"}
              2 pending PATCH Items(1) {"Text":"b","Order@odata.bind":"Orders(5)"} after [1] [X: 1]
              3 pending DELETE Orders(5) after [1, 2]
            """#
        ),
        SeamScript(
            "a header template names an entity inside of another",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"first"}]}
            merge
            template=X-Line:{Cards('a')/Lines(1)/Text} PATCH Cards('a') {"Title":"b"}
            send
              1 PATCH Cards('a') If-Match: * stale {"Title":"b"} X-Line: first
            """#
        ),
        SeamScript(
            "a local id is not sent in a body in percent signs either",
            #"""
            POST attach {"tag":"Tags(%24local='00000000000000000000000000000000')"}
            send
            queue
              1 parked POST attach {"tag":"Tags(%24local='00000000000000000000000000000000')"} answered 0
            """#
        ),
        SeamScript(
            "a text that speaks of local ids is sent",
            #"""
            POST attach {"tag":"write $local= or %24local=, and then the id"}
            send
              1 POST attach {"tag":"write $local= or %24local=, and then the id"}
            queue
              1 sending POST attach {"tag":"write $local= or %24local=, and then the id"}
            """#
        ),
        SeamScript(
            "a request that took over another names what that named",
            #"""
            query Orders Orders
            query Tags Tags?$filter=Name ne 'z'
            query Items Items
            full Orders {"ID":1} {"ID":2}
            full Tags {"Name":"t"}
            full Items {"ID":5}
            merge
            tx=1 PATCH Orders(1) {"Title":"a"}
            tx=2 PATCH Orders(2) {"Title":"b"}
            tx=2 PATCH Orders(1) {"Main@odata.bind":"Tags('t')"}
            tx=1 PATCH Orders(2) {"Price":2}
            queue
              1 pending PATCH Orders(1) {"Title":"a"}
              2 pending PATCH Orders(2) {"Title":"b"}
              3 pending PATCH Orders(1) {"Main@odata.bind":"Tags('t')"} after [1]
              4 pending PATCH Orders(2) {"Price":2} after [2]
            send
              set 1: 1 PATCH Orders(1) If-Match: * stale {"Title":"a","Main@odata.bind":"Tags('t')"}
              set 1: 2 PATCH Orders(2) If-Match: * stale {"Title":"b","Price":2}
            full Tags
            merge
            rows Tags
              {Name:t}
            queue
              1 sending PATCH Orders(1) {"Title":"a","Main@odata.bind":"Tags('t')"}
              2 sending PATCH Orders(2) {"Title":"b","Price":2}
            unquery Tags
            rows Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a header template names no structure and no collection",
            #"""
            query Memos Memos
            full Memos {"ID":3,"Text":"t","Marks":["x"],"Place":{"City":"c"}}
            merge
            template=X-P:{Place} PATCH Memos(3) {"Text":"c"}
              400 'a header names Place, which is no property of Memos'
            template=X-P:{Marks} PATCH Memos(3) {"Text":"c"}
              400 'a header names Marks, which is no property of Memos'
            queue
            """#
        ),
    ]
}
