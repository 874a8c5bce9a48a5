; `greedy` in machine code: what `lab/greedy.py` draws, deals and compares, number for number.
;
;     deal_unseen(S, M, P)     makes some deals of what a seat does not see; returns 0, or 1 if Python has to make them
;     rank(M, T, P)            compares the options of the seat in these deals; returns the number of the best among those
;                              that are compared, which a thought holds (`OUTSIDE`), or -1 if Python has to compare them
;
; S is the present row. P is a plan (`plan.py`) whose kinds are not written yet, but what a seat sees of each: a sight. Where the seat
; knows of things what it sees of them, the deals of a plan follow from the row.

; The things that a slot refers to; returns how many. A slot is given by its form, its word and its words.
define internal i64 @things_at(ptr %S, ptr %e, ptr %list) nounwind {
entry:
  %form = call i64 @get(ptr %e, i64 0)
  %word = call i64 @get(ptr %e, i64 1)
  %words = call i64 @get(ptr %e, i64 2)
  %slot = call ptr @place(ptr %S, i64 %word)
  %end = sub i64 %words, 1
  %last = call i64 @get(ptr %slot, i64 %end)
  %is.none = icmp slt i64 %last, 0
  br i1 %is.none, label %none, label %some
none:
  ret i64 0
some:
  switch i64 %form, label %value [ i64 $MASK, label %mask i64 $PILE, label %pile ]
value:
  store i64 %last, ptr %list
  ret i64 1
mask:
  %w = phi i64 [ 0, %some ], [ %w1, %mask.next ]
  %n = phi i64 [ 0, %some ], [ %n1, %mask.next ]
  %mask.left = icmp slt i64 %w, %words
  br i1 %mask.left, label %bits, label %mask.out
bits:
  %all = call i64 @get(ptr %slot, i64 %w)
  %first = shl i64 %w, 6
  br label %bit
bit:
  %rest = phi i64 [ %all, %bits ], [ %rest1, %bit.one ]
  %n1 = phi i64 [ %n, %bits ], [ %n2, %bit.one ]
  %is.empty = icmp eq i64 %rest, 0
  br i1 %is.empty, label %mask.next, label %bit.one
bit.one:
  %b = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %thing = add i64 %first, %b
  call void @put(ptr %list, i64 %n1, i64 %thing)
  %n2 = add i64 %n1, 1
  %less = sub i64 %rest, 1
  %rest1 = and i64 %rest, %less
  br label %bit
mask.next:
  %w1 = add i64 %w, 1
  br label %mask
mask.out:
  ret i64 %n
pile:
  %most = shl i64 %words, 2
  br label %item
item:
  %k = phi i64 [ 0, %pile ], [ %k1, %item.take ]
  %item.left = icmp slt i64 %k, %most
  br i1 %item.left, label %item.look, label %item.out
item.look:
  %at = lshr i64 %k, 2
  %held = call i64 @get(ptr %slot, i64 %at)
  %k.in = and i64 %k, 3
  %shift = mul i64 %k.in, $ITEM
  %low = lshr i64 %held, %shift
  %found = and i64 %low, $ITEM_MASK
  %is.end = icmp eq i64 %found, 0
  br i1 %is.end, label %item.out, label %item.take
item.take:
  %name = sub i64 %found, 1
  call void @put(ptr %list, i64 %k, i64 %name)
  %k1 = add i64 %k, 1
  br label %item
item.out:
  ret i64 %k
}
; Writes the things of some hidden places that the seat does not see to a list, in the order of the places; returns how many. Some
; places join others: a box from which things were picked unseen counts whole if anything else is unseen ($ALL_JOIN); if nothing is
; ($NONE_JOINS: it is left out), what lies face down in it counts if the seat does not look into it ($ONLY_BOX).
define internal i64 @unseen(ptr %S, ptr %P, i64 %faces, ptr %hidden, i64 %many, ptr %list, i64 %with) nounwind {
entry:
  %held.at = call i64 @get(ptr %P, i64 $HELD)
  %held = call ptr @place(ptr %P, i64 %held.at)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %n = phi i64 [ 0, %entry ], [ %n3, %next ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %look, label %out
look:
  %at = mul i64 %i, 4
  %e = call ptr @place(ptr %hidden, i64 %at)
  %joins = call i64 @get(ptr %e, i64 3)
  %is.box = icmp ne i64 %joins, $STAYS
  %is.open = icmp eq i64 %joins, $OPEN_BOX
  %is.early = icmp eq i64 %with, $NONE_JOINS
  %is.alone = icmp eq i64 %with, $ONLY_BOX
  %waits = and i1 %is.box, %is.early
  %is.known = and i1 %is.open, %is.alone
  %is.out = or i1 %waits, %is.known
  %is.whole = icmp eq i64 %with, $ALL_JOIN
  %is.all = and i1 %is.box, %is.whole
  br i1 %is.out, label %skip, label %there
skip:
  br label %next
there:
  %here = call i64 @things_at(ptr %S, ptr %e, ptr %held)
  br label %one
one:
  %k = phi i64 [ 0, %there ], [ %k1, %one.next ]
  %n1 = phi i64 [ %n, %there ], [ %n2, %one.next ]
  %more = icmp slt i64 %k, %here
  br i1 %more, label %one.look, label %next
one.look:
  %thing = call i64 @get(ptr %held, i64 %k)
  %face.at = add i64 %faces, %thing
  %face = call i64 @get(ptr %S, i64 %face.at)
  %is.down = icmp eq i64 %face, 0
  %counts = or i1 %is.all, %is.down
  br i1 %counts, label %one.add, label %one.next
one.add:
  call void @put(ptr %list, i64 %n1, i64 %thing)
  %added = add i64 %n1, 1
  br label %one.next
one.next:
  %n2 = phi i64 [ %n1, %one.look ], [ %added, %one.add ]
  %k1 = add i64 %k, 1
  br label %one
next:
  %n3 = phi i64 [ %n, %skip ], [ %n1, %one ]
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %n
}
; The number of things in a list with at least such a mark: 1 if the seat does not know the thing, 2 if a variable refers to it, too. A
; local that is out of use may hold what is no thing of the kind. With `more`, what is marked gets that mark.
define internal i64 @marked(ptr %mark, i64 %size, ptr %list, i64 %many, i64 %least, i64 %more) nounwind {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %n = phi i64 [ 0, %entry ], [ %n2, %next ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %look, label %out
look:
  %thing = call i64 @get(ptr %list, i64 %i)
  %is.thing = icmp ult i64 %thing, %size
  br i1 %is.thing, label %read, label %next
read:
  %is = call i64 @get(ptr %mark, i64 %thing)
  %counts = icmp sge i64 %is, %least
  br i1 %counts, label %count, label %next
count:
  %new = or i64 %is, %more
  call void @put(ptr %mark, i64 %thing, i64 %new)
  %n1 = add i64 %n, 1
  br label %next
next:
  %n2 = phi i64 [ %n, %look ], [ %n, %read ], [ %n1, %count ]
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %n
}
; Puts the thing of a list to which a variable refers behind the others.
define internal void @put_last(ptr %mark, ptr %list, i64 %many) nounwind {
entry:
  %end = sub i64 %many, 1
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %swap ], [ %i1, %look ]
  %left = icmp slt i64 %i, %end
  br i1 %left, label %look, label %out
look:
  %thing = call i64 @get(ptr %list, i64 %i)
  %is = call i64 @get(ptr %mark, i64 %thing)
  %said = icmp sgt i64 %is, 1
  %i1 = add i64 %i, 1
  br i1 %said, label %swap, label %again
swap:
  %next = call i64 @get(ptr %list, i64 %i1)
  call void @put(ptr %list, i64 %i, i64 %next)
  call void @put(ptr %list, i64 %i1, i64 %thing)
  br label %again
out:
  ret void
}
; Orders the unseen things as Python does if variables refer to some: in places without an order, those come last; whether that is
; all that tells them apart.
define internal i1 @ordered(ptr %S, ptr %P, i64 %faces, ptr %hidden, i64 %many, ptr %things, ptr %mark, i64 %size, i64 %with) nounwind {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %n = phi i64 [ 0, %entry ], [ %n1, %next ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %yes
one:
  %at = mul i64 %i, 4
  %e = call ptr @place(ptr %hidden, i64 %at)
  %list = call ptr @place(ptr %things, i64 %n)
  %here = call i64 @unseen(ptr %S, ptr %P, i64 %faces, ptr %e, i64 1, ptr %list, i64 %with)
  %form = call i64 @get(ptr %e, i64 0)
  %is.pile = icmp eq i64 %form, $PILE
  br i1 %is.pile, label %next, label %count
count:
  %said = call i64 @marked(ptr %mark, i64 %size, ptr %list, i64 %here, i64 2, i64 0)
  switch i64 %said, label %no [ i64 0, label %next i64 1, label %last ]
last:
  call void @put_last(ptr %mark, ptr %list, i64 %here)
  br label %next
next:
  %n1 = add i64 %n, %here
  %i1 = add i64 %i, 1
  br label %again
yes:
  ret i1 true
no:
  ret i1 false
}
; Writes the plan of a kind, as `deal_kind` reads it, and sets the end of the plan; returns the length of the sight, or -1 if the
; kind is left to Python. A sight is how many things the kind has, the first slots of their places and faces, how many
; hidden places, slots of zones, and slots of variables there are; then the things in the order of names, their classes, and those lists.
define internal i64 @plan_kind(ptr %S, ptr %P, ptr %sight) nounwind {
entry:
  %size = call i64 @get(ptr %sight, i64 0)
  %places = call i64 @get(ptr %sight, i64 1)
  %faces = call i64 @get(ptr %sight, i64 2)
  %hidden.many = call i64 @get(ptr %sight, i64 3)
  %slots.many = call i64 @get(ptr %sight, i64 4)
  %speakers.many = call i64 @get(ptr %sight, i64 5)
  %order = call ptr @place(ptr %sight, i64 6)
  %classes = call ptr @place(ptr %order, i64 %size)
  %hidden = call ptr @place(ptr %classes, i64 %size)
  %hidden.words = mul i64 %hidden.many, 4
  %slots = call ptr @place(ptr %hidden, i64 %hidden.words)
  %slots.words = mul i64 %slots.many, 3
  %speakers = call ptr @place(ptr %slots, i64 %slots.words)
  %speakers.words = mul i64 %speakers.many, 3
  %twice = mul i64 %size, 2
  %l1 = add i64 %twice, 6
  %l2 = add i64 %l1, %hidden.words
  %l3 = add i64 %l2, %slots.words
  %length = add i64 %l3, %speakers.words
  %held.at = call i64 @get(ptr %P, i64 $HELD)
  %held = call ptr @place(ptr %P, i64 %held.at)
  %mark.at = call i64 @get(ptr %P, i64 $MARK)
  %mark = call ptr @place(ptr %P, i64 %mark.at)
  %at = call i64 @get(ptr %P, i64 $KINDS_END)
  %to.at = add i64 %at, 1
  %own.at = add i64 %to.at, %size
  %own = call ptr @place(ptr %P, i64 %own.at)
  %blocks.at = add i64 %own.at, %size
  %many.at = add i64 %blocks.at, 1
  %things.at = add i64 %many.at, 1
  %things = call ptr @place(ptr %P, i64 %things.at)
  %alone = call i64 @unseen(ptr %S, ptr %P, i64 %faces, ptr %hidden, i64 %hidden.many, ptr %things, i64 $NONE_JOINS)
  %is.seen = icmp eq i64 %alone, 0
  %with = select i1 %is.seen, i64 $ONLY_BOX, i64 $ALL_JOIN
  %many = call i64 @unseen(ptr %S, ptr %P, i64 %faces, ptr %hidden, i64 %hidden.many, ptr %things, i64 %with)
  %is.known = icmp eq i64 %many, 0
  br i1 %is.known, label %nothing, label %joined
joined:
  %bytes = shl i64 %size, 3
  call void @llvm.memset.p0.i64(ptr %mark, i8 0, i64 %bytes, i1 false)
  %thing0 = call i64 @get(ptr %things, i64 0)
  %class0 = call i64 @get(ptr %classes, i64 %thing0)
  br label %marks
marks:
  %i = phi i64 [ 0, %joined ], [ %i1, %marks.one ]
  %differ = phi i1 [ false, %joined ], [ %differ1, %marks.one ]
  %marks.left = icmp slt i64 %i, %many
  br i1 %marks.left, label %marks.one, label %marked
marks.one:
  %thing = call i64 @get(ptr %things, i64 %i)
  call void @put(ptr %mark, i64 %thing, i64 1)
  %class = call i64 @get(ptr %classes, i64 %thing)
  %other = icmp ne i64 %class, %class0
  %differ1 = or i1 %differ, %other
  %i1 = add i64 %i, 1
  br label %marks
marked:
  ; Copies of one thing are as good as known.
  br i1 %differ, label %said, label %nothing
nothing:
  ret i64 %length
said:
  %s = phi i64 [ 0, %marked ], [ %s1, %said.look ]
  %any = phi i64 [ 0, %marked ], [ %any1, %said.look ]
  %said.left = icmp slt i64 %s, %speakers.many
  br i1 %said.left, label %said.look, label %said.all
said.look:
  %s.at = mul i64 %s, 3
  %speaker = call ptr @place(ptr %speakers, i64 %s.at)
  %spoken = call i64 @things_at(ptr %S, ptr %speaker, ptr %held)
  %is.said = call i64 @marked(ptr %mark, i64 %size, ptr %held, i64 %spoken, i64 1, i64 2)
  %any1 = add i64 %any, %is.said
  %s1 = add i64 %s, 1
  br label %said
said.all:
  %is.silent = icmp eq i64 %any, 0
  br i1 %is.silent, label %room, label %order.them
order.them:
  %is.ordered = call i1 @ordered(ptr %S, ptr %P, i64 %faces, ptr %hidden, i64 %hidden.many, ptr %things, ptr %mark, i64 %size, i64 %with)
  br i1 %is.ordered, label %room, label %cannot
cannot:
  ret i64 -1
room:
  call void @put(ptr %P, i64 %at, i64 %size)
  call void @put(ptr %P, i64 %blocks.at, i64 1)
  call void @put(ptr %P, i64 %many.at, i64 %many)
  %names.at = add i64 %things.at, %many
  %names = call ptr @place(ptr %P, i64 %names.at)
  br label %name
name:
  %k = phi i64 [ 0, %room ], [ %k1, %name.next ]
  %n = phi i64 [ 0, %room ], [ %n1, %name.next ]
  %name.left = icmp slt i64 %k, %size
  br i1 %name.left, label %name.look, label %named
name.look:
  call void @put(ptr %own, i64 %k, i64 %k)
  %next = call i64 @get(ptr %order, i64 %k)
  %is.loose = call i64 @get(ptr %mark, i64 %next)
  %is.name = icmp ne i64 %is.loose, 0
  br i1 %is.name, label %name.add, label %name.next
name.add:
  call void @put(ptr %names, i64 %n, i64 %next)
  %added = add i64 %n, 1
  br label %name.next
name.next:
  %n1 = phi i64 [ %n, %name.look ], [ %added, %name.add ]
  %k1 = add i64 %k, 1
  br label %name
named:
  ; Things that lie in two places at once would be an error of this room.
  %is.whole = icmp eq i64 %n, %many
  br i1 %is.whole, label %holders, label %cannot
holders:
  %holders.at = add i64 %names.at, %many
  %first.at = add i64 %holders.at, 1
  %end = call i64 @get(ptr %P, i64 $PLAN_END)
  ; The slots of variables lie behind those of zones.
  %all.many = add i64 %slots.many, %speakers.many
  br label %slot
slot:
  %h = phi i64 [ 0, %holders ], [ %h1, %slot.next ]
  %held.many = phi i64 [ 0, %holders ], [ %held.many1, %slot.next ]
  %p = phi i64 [ %first.at, %holders ], [ %p2, %slot.next ]
  %slot.left = icmp slt i64 %h, %all.many
  br i1 %slot.left, label %slot.look, label %moved
slot.look:
  %slot.at = mul i64 %h, 3
  %one = call ptr @place(ptr %slots, i64 %slot.at)
  %list.at = add i64 %p, 4
  %list = call ptr @place(ptr %P, i64 %list.at)
  %most.at = add i64 %list.at, %size
  %fits = icmp slt i64 %most.at, %end
  br i1 %fits, label %slot.read, label %cannot
slot.read:
  %count = call i64 @things_at(ptr %S, ptr %one, ptr %list)
  %loose.many = call i64 @marked(ptr %mark, i64 %size, ptr %list, i64 %count, i64 1, i64 0)
  %is.held = icmp ne i64 %loose.many, 0
  br i1 %is.held, label %slot.add, label %slot.next
slot.add:
  %holder = call ptr @place(ptr %P, i64 %p)
  call void @llvm.memcpy.p0.p0.i64(ptr %holder, ptr %one, i64 24, i1 false)
  call void @put(ptr %holder, i64 3, i64 %count)
  %p1 = add i64 %list.at, %count
  %held.more = add i64 %held.many, 1
  br label %slot.next
slot.next:
  %held.many1 = phi i64 [ %held.many, %slot.read ], [ %held.more, %slot.add ]
  %p2 = phi i64 [ %p, %slot.read ], [ %p1, %slot.add ]
  %h1 = add i64 %h, 1
  br label %slot
moved:
  call void @put(ptr %P, i64 %holders.at, i64 %held.many)
  %pairs = mul i64 %many, 2
  call void @put(ptr %P, i64 %p, i64 %pairs)
  %move0 = add i64 %p, 1
  %moved.words = mul i64 %pairs, 3
  %moved.end = add i64 %move0, %moved.words
  %moved.fits = icmp slt i64 %moved.end, %end
  br i1 %moved.fits, label %move, label %cannot
move:
  %m = phi i64 [ 0, %moved ], [ %m1, %move.one ]
  %q = phi i64 [ %move0, %moved ], [ %q6, %move.one ]
  %move.left = icmp slt i64 %m, %many
  br i1 %move.left, label %move.one, label %done
move.one:
  %loose = call i64 @get(ptr %things, i64 %m)
  %place.at = add i64 %places, %loose
  %place = call i64 @get(ptr %S, i64 %place.at)
  %face.at = add i64 %faces, %loose
  %face = call i64 @get(ptr %S, i64 %face.at)
  %q1 = add i64 %q, 1
  %q2 = add i64 %q, 2
  %q3 = add i64 %q, 3
  %q4 = add i64 %q, 4
  %q5 = add i64 %q, 5
  %q6 = add i64 %q, 6
  call void @put(ptr %P, i64 %q, i64 %places)
  call void @put(ptr %P, i64 %q1, i64 %loose)
  call void @put(ptr %P, i64 %q2, i64 %place)
  call void @put(ptr %P, i64 %q3, i64 %faces)
  call void @put(ptr %P, i64 %q4, i64 %loose)
  call void @put(ptr %P, i64 %q5, i64 %face)
  %m1 = add i64 %m, 1
  br label %move
done:
  call void @put(ptr %P, i64 $KINDS_END, i64 %q)
  %kinds = call i64 @get(ptr %P, i64 $KINDS_MANY)
  %kinds1 = add i64 %kinds, 1
  call void @put(ptr %P, i64 $KINDS_MANY, i64 %kinds1)
  ret i64 %length
}
define internal i1 @plan_kinds(ptr %S, ptr %P) nounwind {
entry:
  %first = call i64 @get(ptr %P, i64 $KINDS)
  call void @put(ptr %P, i64 $KINDS_END, i64 %first)
  call void @put(ptr %P, i64 $KINDS_MANY, i64 0)
  %many = call i64 @get(ptr %P, i64 $SIGHTS_MANY)
  %sights = call i64 @get(ptr %P, i64 $SIGHTS)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %at = phi i64 [ %sights, %entry ], [ %at1, %next ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %yes
one:
  %sight = call ptr @place(ptr %P, i64 %at)
  %length = call i64 @plan_kind(ptr %S, ptr %P, ptr %sight)
  %bad = icmp slt i64 %length, 0
  br i1 %bad, label %no, label %next
next:
  %at1 = add i64 %at, %length
  %i1 = add i64 %i, 1
  br label %again
yes:
  ret i1 true
no:
  ret i1 false
}
define internal ptr @deal_at(ptr %P, i64 %i) nounwind alwaysinline {
  %first = call i64 @get(ptr %P, i64 $DEALT)
  %n = mul i64 %i, $KEPT
  %at = add i64 %first, %n
  %row = call ptr @place(ptr %P, i64 %at)
  ret ptr %row
}
define i64 @deal_unseen(ptr %S, ptr %M, ptr %P) nounwind {
entry:
  %asked = call i64 @get(ptr %S, i64 $QUESTION)
  %question = call i64 @get(ptr %P, i64 $ASKED)
  %same = icmp eq i64 %asked, %question
  br i1 %same, label %list, label %no
list:
  %seat = call i64 @get(ptr %P, i64 $SEAT)
  %many = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %room = call i64 @get(ptr %P, i64 $OPTIONS_ROOM)
  %fits = icmp sle i64 %many, %room
  %some = icmp ne i64 %many, 0
  %ok = and i1 %fits, %some
  br i1 %ok, label %expect, label %no
expect:
  call void @put(ptr %P, i64 $MANY, i64 %many)
  %bytes = mul i64 %many, $ANSWER_BYTES
  %options.at = call i64 @get(ptr %P, i64 $OPTIONS)
  %options = call ptr @place(ptr %P, i64 %options.at)
  %first = call ptr @listed(ptr %M, i64 0)
  call void @llvm.memcpy.p0.p0.i64(ptr %options, ptr %first, i64 %bytes, i1 false)
  %base = call ptr @deal_at(ptr %P, i64 0)
  call void @copy_row(ptr %S, ptr %base)
  %planned = call i1 @plan_kinds(ptr %S, ptr %P)
  br i1 %planned, label %deals, label %no
deals:
  %deals.many = call i64 @get(ptr %P, i64 $DEALS)
  br label %again
again:
  %i = phi i64 [ 1, %deals ], [ %i1, %keep ]
  %left = icmp sle i64 %i, %deals.many
  br i1 %left, label %deal, label %yes
deal:
  call void @copy_row(ptr %S, ptr %base)
  %bad = call i64 @redeal(ptr %S, ptr %M, ptr %P)
  %is.bad = icmp ne i64 %bad, 0
  br i1 %is.bad, label %no, label %keep
keep:
  %to = call ptr @deal_at(ptr %P, i64 %i)
  call void @copy_row(ptr %to, ptr %S)
  %i1 = add i64 %i, 1
  br label %again
yes:
  ret i64 0
no:
  ret i64 1
}
; Sorts the first options of a list by their sums, the best first, those with equal sums in their order.
define internal void @sort_by(ptr %order, ptr %sums, i64 %many) nounwind {
entry:
  br label %again
again:
  %i = phi i64 [ 1, %entry ], [ %i1, %placed ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %mine = call i64 @get(ptr %order, i64 %i)
  %mine.at = getelementptr inbounds double, ptr %sums, i64 %mine
  %sum = load double, ptr %mine.at
  br label %back
back:
  %j = phi i64 [ %i, %one ], [ %j1, %shift ]
  %more = icmp sgt i64 %j, 0
  br i1 %more, label %look, label %placed
look:
  %j1 = sub i64 %j, 1
  %other = call i64 @get(ptr %order, i64 %j1)
  %other.at = getelementptr inbounds double, ptr %sums, i64 %other
  %other.sum = load double, ptr %other.at
  %less = fcmp olt double %other.sum, %sum
  br i1 %less, label %shift, label %placed
shift:
  call void @put(ptr %order, i64 %j, i64 %other)
  br label %back
placed:
  call void @put(ptr %order, i64 %j, i64 %mine)
  %i1 = add i64 %i, 1
  br label %again
out:
  ret void
}
define i64 @rank(ptr %M, ptr %T, ptr %P) nounwind {
entry:
  %seat = call i64 @get(ptr %P, i64 $SEAT)
  %many = call i64 @get(ptr %P, i64 $MANY)
  %options.at = call i64 @get(ptr %P, i64 $OPTIONS)
  %options = call ptr @place(ptr %P, i64 %options.at)
  %listed = call ptr @listed(ptr %M, i64 0)
  %bytes = mul i64 %many, $ANSWER_BYTES
  call void @llvm.memcpy.p0.p0.i64(ptr %listed, ptr %options, i64 %bytes, i1 false)
  call void @put(ptr %M, i64 $COUNT, i64 %many)
  %most = call i64 @get(ptr %P, i64 $COMPARED)
  %few = call i64 @few(ptr %M, ptr %T, i64 %most)
  %list = call ptr @place(ptr %T, i64 $OUTSIDE)
  call void @take(ptr %M, ptr %T, ptr %list, i64 %few)
  %rng = call i64 @get(ptr %P, i64 $POLICY_WORD)
  call void @put(ptr %M, i64 $RNG, i64 %rng)
  %sums = call ptr @place(ptr %T, i64 $WORTHS)
  %order.at = call i64 @get(ptr %P, i64 $RANKED)
  %order = call ptr @place(ptr %P, i64 %order.at)
  %deals = call i64 @get(ptr %P, i64 $DEALS)
  %stay = call i64 @get(ptr %P, i64 $STAY)
  br label %begin
begin:
  %b = phi i64 [ 0, %entry ], [ %b1, %begin.one ]
  %begin.left = icmp slt i64 %b, %few
  br i1 %begin.left, label %begin.one, label %deal
begin.one:
  call void @put(ptr %order, i64 %b, i64 %b)
  %sum.at = getelementptr inbounds double, ptr %sums, i64 %b
  store double 0.0, ptr %sum.at
  %b1 = add i64 %b, 1
  br label %begin
deal:
  %d = phi i64 [ 1, %begin ], [ %d1, %sort ]
  %left = phi i64 [ %few, %begin ], [ %left2, %sort ]
  %deal.left = icmp sle i64 %d, %deals
  br i1 %deal.left, label %compare, label %out
compare:
  %row = call ptr @deal_at(ptr %P, i64 %d)
  br label %option
option:
  %i = phi i64 [ 0, %compare ], [ %i1, %weighed ]
  %more = icmp slt i64 %i, %left
  br i1 %more, label %weigh, label %sort
weigh:
  %which = call i64 @get(ptr %order, i64 %i)
  %answer = call ptr @in_list(ptr %list, i64 %which)
  %worth = call double @after(ptr %row, ptr %M, ptr %T, i64 %seat, ptr %answer, i64 0)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %cannot, label %weighed
weighed:
  %at = getelementptr inbounds double, ptr %sums, i64 %which
  %sum = load double, ptr %at
  %sum1 = fadd double %sum, %worth
  store double %sum1, ptr %at
  %i1 = add i64 %i, 1
  br label %option
sort:
  call void @sort_by(ptr %order, ptr %sums, i64 %left)
  %half = lshr i64 %left, 1
  %is.few = icmp slt i64 %half, %stay
  %left1 = select i1 %is.few, i64 %stay, i64 %half
  %is.all = icmp slt i64 %left, %left1
  %left2 = select i1 %is.all, i64 %left, i64 %left1
  %d1 = add i64 %d, 1
  br label %deal
out:
  %best = call i64 @get(ptr %order, i64 0)
  ret i64 %best
cannot:
  ret i64 -1
}
