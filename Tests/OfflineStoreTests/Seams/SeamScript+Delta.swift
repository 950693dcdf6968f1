extension SeamScript {
    /// What deltas and full reads make of links, keys and deletions.
    static let deltas = [
        SeamScript(
            "a deletion leaves what has another parent at the service by now",
            #"""
            query Tags Tags
            query Memos Memos
            full Tags {"Name":"t"} {"Name":"u"}
            full Memos {"@odata.etag":"1","ID":1,"TagName":"t"} {"@odata.etag":"1","ID":2,"TagName":"t"}
            merge
            DELETE Tags('t')
            rows Memos
              {etag:1 isLocal hasPendingChanges ID:1}
              {etag:1 isLocal hasPendingChanges ID:2}
            full Memos {"@odata.etag":"2","ID":1,"TagName":"u"} {"@odata.etag":"2","ID":2,"TagName":"t","Text":"n"}
            merge
            rows Memos
              {etag:1 isLocal hasPendingChanges hasConflict ID:1}
              {etag:1 isLocal hasPendingChanges hasConflict ID:2}
            send
              1 DELETE Tags('t') If-Match: * stale
            ok 1
            rows Memos
              {isLocal ID:1 TagName:u}
              {isLocal ID:2 Text:n}
            """#
        ),
        SeamScript(
            "what a query brings is not deleted by the tombstone of another",
            #"""
            query Tags Tags
            query Orders Orders?$expand=Tags
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            full Orders {"ID":1,"Tags":[{"@odata.etag":"1","Name":"t"},{"@odata.etag":"1","Name":"u"}]}
            merge
            delta Tags {"@odata.etag":"2","Name":"t","Color":"anew"}
            delta Orders {"ID":1,"Tags@delta":[{"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"},{"@removed":{"reason":"deleted"},"@odata.id":"Tags('u')"}]}
            merge
            rows Tags
              {etag:2 Name:t Color:anew}
            rows Orders(1)/Tags
            """#
        ),
        SeamScript(
            "a singleton keeps the key that does not come",
            #"""
            query Top Top
            query Tags Tags
            one Top {"@odata.etag":"1","Name":"t","Color":"r"}
            merge
            rows Top
              {etag:1 Name:t Color:r}
            PATCH Top {"Color":"s"}
            one Top {"@odata.etag":"2","Color":"theirs"}
            merge
            rows Top
              {etag:1 isLocal hasPendingChanges hasConflict Name:t Color:s}
            conflict Top
              base {"Name":"t","Color":"r"}
              here {"Name":"t","Color":"s"}
              service {"Name":"t","Color":"theirs"}
              changed Color
            server Top
            rows Top
              {etag:2 Name:t Color:theirs}
            delta Top {"Color":"d"}
            merge
              error: expected an entity with its key (Name) or its id in value[0] (line 1, column 66, byte 65)
            rows Top
              {etag:2 Name:t Color:theirs}
            delta Top {"@removed":{"reason":"deleted"},"@odata.id":"Top"}
            merge
            rows Top
              404
            """#
        ),
        SeamScript(
            "entities are known by their ids where their keys do not come",
            #"""
            query Orders Orders?$select=Title
            full Orders {"@odata.id":"Orders(1)","Title":"a"} {"@odata.id":"http://service/Orders(2)","Title":"b"}
            merge
            rows Orders
              {ID:1 Title:a}
              {ID:2 Title:b}
            """#
        ),
        SeamScript(
            "an ended link says nothing against the foreign key that comes with it",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":5} {"ID":6}
            full Items {"ID":1,"OrderID":5} {"ID":2,"OrderID":5} {"ID":3,"OrderID":5}
            merge
            delta Items {"ID":1,"OrderID":5} {"@odata.context":"#Items/$deletedLink","source":"Items(1)","relationship":"Order","target":"Orders(5)"} {"ID":2,"OrderID":5} {"ID":2,"OrderID":null} {"@odata.context":"#Items/$deletedLink","source":"Items(2)","relationship":"Order","target":"Orders(5)"} {"ID":3,"Text":"x"} {"@odata.context":"#Items/$deletedLink","source":"Items(3)","relationship":"Order","target":"Orders(5)"}
            merge
            rows Items
              {ID:1 OrderID:5}
              {ID:2}
              {ID:3 Text:x}
            """#
        ),
        SeamScript(
            "a delta ends and replaces single links",
            #"""
            query Items Items?$expand=Order
            query Cards Cards?$expand=Tag,Item
            full Items {"ID":1,"OrderID":5,"Order":{"ID":5}} {"ID":2,"OrderID":5,"Order":{"ID":5}}
            full Cards {"Name":"a","Tag":{"Name":"t"},"Item":{"ID":1}}
            merge
            rows Orders
              {ID:5}
            delta Items {"ID":1,"Order":null} {"@odata.context":"#Items/$deletedLink","source":"Items(2)","relationship":"Order","target":"Orders(5)"}
            delta Cards {"Name":"a","Tag":null,"Item":{"@odata.id":"Items(2)"}}
            merge
            rows Items
              {ID:1}
              {ID:2}
            rows Orders
            rows Cards('a')/Tag
              204
            rows Cards('a')/Item
              {ID:2}
            rows Tags
            """#
        ),
        SeamScript(
            "a delta changes a single link below a local change",
            #"""
            query Cards Cards?$expand=Tag
            full Cards {"Name":"a","Tag":{"Name":"t"}}
            merge
            query Tags Tags
            full Tags {"Name":"t"} {"Name":"u"} {"Name":"v"}
            merge
            PUT Cards('a')/Tag/$ref {"@odata.id":"Tags('u')"}
            delta Cards {"@odata.context":"http://service/$metadata#Cards/$link","source":"Cards('a')","relationship":"Tag","target":"Tags('v')"}
            merge
            rows Cards('a')/Tag
              {Name:u}
            drop 1
            rows Cards('a')/Tag
              {Name:v}
            """#
        ),
        SeamScript(
            "a delta links what is deleted here, and what the store does not hold",
            #"""
            query Cards Cards?$expand=Peers
            query Tags Tags
            full Cards {"Name":"a","Peers":[]} {"Name":"b","Peers":[]}
            merge
            DELETE Cards('b')
            delta Cards {"@odata.context":"http://service/$metadata#Cards/$link","source":"Cards('b')","relationship":"Peers","target":"Cards('a')"} {"@odata.context":"http://service/$metadata#Cards/$link","source":"Cards('a')","relationship":"Peers","target":"Cards('zz')"} {"@odata.context":"http://service/$metadata#Cards/$link","source":"Cards('yy')","relationship":"Peers","target":"Cards('a')"} {"@odata.context":"http://service/$metadata#Cards/$link","source":"Cards('a')","relationship":"Nonsense","target":"Cards('a')"}
            merge
              remark: an entity that others lead to now did not come, so that the query is read in full next time: "Cards('zz')"
            rows Cards('a')/PeerOf
            drop 1
            rows Cards('a')/PeerOf
              {Name:b}
            tasks
              Cards full
              Tags full
            """#
        ),
        SeamScript(
            "a removal inside of what is deleted here",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1},{"No":2}]}
            merge
            DELETE Cards('a')
            delta Cards {"Name":"a","Lines@delta":[{"@removed":{"reason":"changed"},"@odata.id":"Cards('a')/Lines(1)"}]}
            merge
            drop 1
            rows Cards('a')/Lines
              {No:2}
            rows Cards
              {Name:a}
            """#
        ),
        SeamScript(
            "what somebody else had created is gone again",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            full Tags {"Name":"t","Color":"theirs"}
            merge
            delta Tags {"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"}
            merge
            rows Tags
              {isLocal hasPendingChanges Name:t Color:r}
            conflicts
            drop 1
            rows Tags
            """#
        ),
        SeamScript(
            "values go with the query that brought them",
            #"""
            query One Orders?$filter=Price%20gt%201
            query Two Orders?$select=Title
            full One {"ID":1,"Title":"a","Price":12.50} {"ID":2,"Title":"b","Price":3}
            full Two {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            merge
            PATCH Orders(2) {"Title":"c"}
            full One
            merge
            rows Orders
              {ID:1 Title:a}
              {isLocal hasPendingChanges ID:2 Title:c}
            drop 1
            rows Orders
              {ID:1 Title:a}
              {ID:2 Title:b}
            full Two {"ID":1,"Title":"a"}
            merge
              remark: 1 of 2 entities were removed, since the service did not send them any more
            rows Orders
              {ID:1 Title:a}
            """#
        ),
        SeamScript(
            "what is gone takes the links that wait with it",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            PATCH Tags('t') {"Color":"c"}
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            delta Tags {"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"}
            merge
            rows Orders(1)/Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:c}
            server Tags('t')
            queue
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            rows Orders(1)/Tags
            drop 2
            rows Orders(1)/Tags
            """#
        ),
        SeamScript(
            "what was made inline and not shown is read in full",
            #"""
            query Orders Orders?$expand=Items
            full Orders {"ID":1,"Items":[]}
            merge
            tasks
              Orders delta
            POST Orders {"Title":"a","Items":[{"Text":"i"}]}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a","Items":[{"Text":"i"}]}
            ok 1 {"ID":2,"Title":"a","Items":[{"ID":5,"Text":"i","OrderID":2}]}
            tasks
              Orders delta
            POST Orders {"Title":"b","Items":[{"Text":"j"}]}
              -> Orders(B)
            send
              2 POST Orders {"Title":"b","Items":[{"Text":"j"}]}
            ok 2 {"ID":3,"Title":"b"}
            tasks
              Orders full
            """#
        ),
        SeamScript(
            "what was created and deleted here, and has come down before its answer",
            #"""
            query Tags Tags
            full Tags {"Name":"x"}
            merge
            POST Tags {"Name":"t","Color":"mine"}
              -> Tags('t')
            send
              1 POST Tags {"Name":"t","Color":"mine"}
            DELETE Tags('t')
            full Tags {"Name":"x"} {"Name":"t","Color":"mine"}
            merge
            ok 1 {"Name":"t","Color":"mine"}
            queue
              2 pending DELETE Tags('t')
            send
              2 DELETE Tags('t') If-Match: * stale
            ok 2
            rows Tags
              {Name:x}
            """#
        ),
        SeamScript(
            "what came below a waiting change was not changed here",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            ok 1
            rows Orders
              {isLocal ID:1 Title:b}
            PATCH Orders(1) {"Title":"c"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"b"}
            merge
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:c}
            undo Orders(1)
            rows Orders
              {etag:2 ID:1 Title:b}
            """#
        ),
        SeamScript(
            "what was created and deleted here is no entity of the service",
            #"""
            query Tags Tags
            full Tags {"Name":"x"}
            merge
            POST Tags {"Name":"t","Color":"mine"}
              -> Tags('t')
            send
              1 POST Tags {"Name":"t","Color":"mine"}
            DELETE Tags('t')
            queue
              1 sending POST Tags {"Name":"t","Color":"mine"}
              2 pending DELETE Tags('t') after [1]
            full Tags {"Name":"x"} {"Name":"t","Color":"theirs"}
            merge
            rows Tags
              {Name:t Color:theirs}
              {Name:x}
            fail 1 409
            queue
              1 failed POST Tags {"Name":"t","Color":"mine"} answered 409
              2 parked DELETE Tags('t') after [1]
            rows Tags
              {Name:t Color:theirs}
              {Name:x}
            """#
        ),
        SeamScript(
            "three removals without a name are named",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            delta Orders {"@removed":{"reason":"deleted"},"@id":"http://elsewhere/a"} {"@removed":{"reason":"deleted"},"@id":"http://elsewhere/b"} {"@removed":{"reason":"deleted"},"@id":"http://elsewhere/c"}
            merge
              remark: 3 removals name no entity of this service, so that nothing was removed for them: "http://elsewhere/a", "http://elsewhere/b", "http://elsewhere/c"
            """#
        ),
        SeamScript(
            "what came to a deleted note since is looked at",
            #"""
            query Notes Notes?$expand=Card
            full Notes {"Day":1,"No":1} {"Day":1,"No":2}
            merge
            DELETE Notes(Day=1,No=1)
            delta Notes {"Day":1,"No":1,"Card":{"Name":"a"}}
            merge
            rows Cards
              {Name:a}
            send
              1 DELETE Notes(Day=1,No=1) If-Match: * stale
            ok 1
            delta Notes {"Day":1,"No":2,"Text":"x"}
            merge
            rows Cards
            """#
        ),
        SeamScript(
            "what a change keeps goes when it is taken back though other queries rest",
            #"""
            query Orders Orders?$filter=Price%20gt%201
            query Tags Tags
            full Orders {"ID":1,"Price":2} {"ID":2,"Price":2}
            merge
            PATCH Orders(1) {"Title":"b"}
            delta Orders {"@removed":{"reason":"changed"},"@id":"Orders(1)"}
            merge
            undo Orders(1)
            rows Orders
              {ID:1 Price:2}
              {ID:2 Price:2}
            delta Orders {"ID":2,"Title":"x"}
            merge
            rows Orders
              {ID:2 Title:x Price:2}
            """#
        ),
        SeamScript(
            "what came before its answer stays held by its query",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a"}
            full Orders {"ID":5,"Title":"a"}
            merge
            ok 1 etag=1 {"ID":5,"Title":"a"}
            rows Orders
              {etag:1 isLocal ID:5 Title:a}
            delta Orders
            merge
            rows Orders
              {etag:1 ID:5 Title:a}
            """#
        ),
        SeamScript(
            "an id relative to the place of the page",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2}
            merge
            delta Orders {"@removed":{"reason":"deleted"},"@id":"./Orders(1)"}
            merge
            rows Orders
              {ID:2}
            """#
        ),
        SeamScript(
            "a link that was sent and that the service has ended without naming its end",
            #"""
            query Orders Orders?$expand=Main
            full Orders {"ID":1}
            merge
            POST Tags {"Name":"t"}
              -> Tags('t')
            PUT Orders(1)/Main/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Tags {"Name":"t"}
            ok 1 etag=1 {"Name":"t"}
            send
              2 PUT Orders(1)/Main/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 2
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Main"}
            merge
            rows Orders?$expand=Main
              {ID:1}
            tasks
              Orders delta
            """#
        ),
        SeamScript(
            "a link taken back by another after a full read",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 1
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"}
            merge
            tasks
              Orders delta
              Tags delta
            delta Orders
            delta Tags
            merge
            tasks
              Orders delta
              Tags delta
            """#
        ),
        SeamScript(
            "an id that has given the key is no link of the entity",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            delta Orders {"@odata.id":"http://service/Orders(1)","Title":"b"} {"@odata.id":"http://service/Orders(2)","Title":"c"}
            merge
            rows Orders
              {ID:1 Title:b}
              {ID:2 Title:c}
            ids Orders
              none
              none
            """#
        ),
        SeamScript(
            "what is deleted here is held by the query that links to it",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Tags":[]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            DELETE Tags('t')
            PATCH Tags('u') {"Color":"r"}
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags('t')"} {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags('u')"}
            merge
            unquery Tags
            drop 1
            drop 2
            delta Orders
            merge
            rows Tags
              {Name:t}
              {Name:u}
            """#
        ),
        SeamScript(
            "a part of a collection takes nothing that comes from its other side",
            #"""
            query A Cards?$expand=Peers($filter=Title eq 'x')
            query B Cards?$expand=PeerOf
            full A {"Name":"a","Title":"x","Peers":[]} {"Name":"b","Title":"y","Peers":[]}
            full B {"Name":"a","Title":"x","PeerOf":[]} {"Name":"b","Title":"y","PeerOf":[{"Name":"a","Title":"x"}]}
            merge
            rows Cards('a')/Peers
              {Name:b Title:y}
            full A {"Name":"a","Title":"x","Peers":[]} {"Name":"b","Title":"y","Peers":[]}
            merge
            rows Cards('a')/Peers
              {Name:b Title:y}
            """#
        ),
        SeamScript(
            "what is changed here leads to what it led to before",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Tags":[{"Name":"t"},{"Name":"u"}]}
            merge
            rows Tags
              {Name:t}
              {Name:u}
            PATCH Orders(1) {"Title":"b"}
            delta Orders {"@odata.etag":"2","ID":1,"Title":"a","Tags":[{"Name":"u"}]}
            merge
            rows Tags
              {Name:u}
            rows Orders(1)/Tags
              {Name:u}
            """#
        ),
        SeamScript(
            "what stays in a collection stays when another leaves it",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]}
            merge
            delta Orders {"ID":1,"Tags":[{"Name":"t"}]}
            merge
            rows Tags
              {Name:t}
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Tags","target":"Tags('u')"}
            merge
              remark: an entity that others lead to now did not come, so that the query is read in full next time: "Tags('u')"
            rows Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a link that ends leaves the other target",
            #"""
            query Orders Orders?$expand=Tags,Main
            full Orders {"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}],"Main":{"Name":"v"}}
            merge
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$deletedLink","source":"Orders(1)","relationship":"Tags","target":"Tags('u')"}
            merge
            rows Tags
              {Name:t}
              {Name:v}
            """#
        ),
        SeamScript(
            "a held entity that a creation turns out to be comes back after its deletion here",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"held"} {"ID":2}
            merge
            POST Orders {"Title":"new"}
              -> Orders(A)
            send
              1 POST Orders {"Title":"new"}
            DELETE Orders(A)
            ok 1 etag=2 {"ID":1,"Title":"new"}
            undo Orders(1)
            delta Orders {"@odata.etag":"7","ID":9}
            merge
            rows Orders
              {etag:2 ID:1 Title:new}
              {ID:2}
              {etag:7 ID:9}
            """#
        ),
        SeamScript(
            "a relation that the query does not expand leads to what is not here",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(1)","relationship":"Main","target":"Tags('n')"}
            merge
            tasks
              Orders delta
            """#
        ),
        SeamScript(
            "a query that does not hold what has left another is not read anew",
            #"""
            query Tags Tags
            query Orders Orders?$expand=Tags
            query Others Orders?$filter=ID gt 100&$expand=Main
            full Tags {"Name":"a"} {"Name":"b"}
            full Orders {"ID":1,"Tags":[{"Name":"a"}]}
            full Others {"ID":101,"Main":{"Name":"b"}}
            merge
            tasks
              Tags delta
              Orders delta
              Others delta
            delta Tags {"@removed":{"reason":"changed"},"@id":"Tags('a')"}
            merge
            tasks
              Tags delta
              Orders full
              Others delta
            """#
        ),
        SeamScript(
            "three entries of an entity in a delta are laid over each other in their order",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            delta Orders {"ID":1,"Title":"b"} {"ID":1,"Price":2} {"ID":1}
            merge
            rows Orders
              {ID:1 Title:b Price:2}
            delta Orders {"ID":1,"Title":"c"} {"ID":1,"Title":"d"} {"ID":1,"Price":3}
            merge
            rows Orders
              {ID:1 Title:d Price:3}
            """#
        ),
        SeamScript(
            "an ETag is to be read where a dynamic property is another one",
            #"""
            query Cards Cards
            query Peers Cards?$expand=Peers
            full Cards {"@odata.etag":"\"1\"","Name":"a","Hue":"red"}
            merge
            full Peers {"Name":"b","Peers":[{"Name":"a","Hue":"blue"}]}
            merge
            rows Cards
              {Name:a Hue:blue}
              {Name:b}
            PATCH Cards('a') {"Title":"t"}
            send
              1 PATCH Cards('a') If-Match: * stale {"Title":"t"}
            """#
        ),
        SeamScript(
            "what comes inside of others is not what the path leads to",
            #"""
            query Orders Orders
            query Peers Cards('a')/Peers?$expand=Peers
            query Cards Cards
            full Cards {"Name":"a"} {"Name":"b"} {"Name":"c"}
            full Peers {"Name":"b","Peers":[{"Name":"c"}]}
            merge
            rows Cards?$expand=Peers
              {Name:a Peers:[{Name:b}]}
              {Name:b Peers:[{Name:c}]}
              {Name:c Peers:[]}
            """#
        ),
        SeamScript(
            "a delta that is silent about a sent link is read again, whichever side it names",
            #"""
            query Cards Cards?$expand=Peers
            query Tags Tags
            full Cards {"Name":"a","Peers":[]} {"Name":"b","Peers":[]}
            merge
            POST Cards('a')/Peers/$ref {"@odata.id":"Cards('b')"}
            send
              1 POST Cards('a')/Peers/$ref {"@odata.id":"http://service/Cards('b')"}
            ok 1
            delta Cards {"Name":"a","Peers@delta":[{"@id":"Cards('b')"}]}
            merge
            tasks
              Cards delta
              Tags full
            delta Cards {"Name":"b"}
            merge
            tasks
              Cards full
              Tags full
            """#
        ),
        SeamScript(
            "a value goes that only queries bring which do not hold the entity",
            #"""
            query All Orders
            query Titles Orders?$select=ID,Title
            query Prices Orders?$filter=ID eq 2&$select=ID,Price
            full All {"ID":1,"Title":"a","Price":1} {"ID":2,"Title":"b","Price":2}
            full Titles {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            full Prices {"ID":2,"Price":2}
            merge
            rows Orders
              {ID:1 Title:a Price:1}
              {ID:2 Title:b Price:2}
            delta All {"@removed":{"reason":"changed"},"@id":"Orders(1)"} {"@removed":{"reason":"changed"},"@id":"Orders(2)"}
            merge
            rows Orders
              {ID:1 Title:a}
              {ID:2 Title:b Price:2}
            """#
        ),
    ]
}
