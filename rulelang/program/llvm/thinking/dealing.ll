; A re-deal in machine code: what `match/redeals/redeal.py` draws and lays out, draw for draw.
;
;     redeal(S, M, P)     deals anew what a seat does not know, and gives the answers under seal once more; returns 0 if
;                         the seat could not tell the result from the row before, else 1
;
; S is the row before, or before the answers under seal, M the frame beside it, P a plan: the words named in `plan.py`, then
; lists. A place in a plan is counted from its beginning. Whatever returns 1 is dealt by Python, from the same random numbers.

define internal void @shuffle(ptr %M, ptr %list, i64 %many) nounwind {
entry:
  %top = sub i64 %many, 1
  br label %again
again:
  %i = phi i64 [ %top, %entry ], [ %i1, %swap ]
  %left = icmp sgt i64 %i, 0
  br i1 %left, label %swap, label %out
swap:
  %stop = add i64 %i, 1
  %j = call i64 @below(ptr %M, i64 %stop)
  %a = call i64 @get(ptr %list, i64 %i)
  %b = call i64 @get(ptr %list, i64 %j)
  call void @put(ptr %list, i64 %i, i64 %b)
  call void @put(ptr %list, i64 %j, i64 %a)
  %i1 = sub i64 %i, 1
  br label %again
out:
  ret void
}
; Gives the things of a block its names in a random order; returns the place behind it. A block is how many, things, names.
define internal i64 @name_block(ptr %M, ptr %P, ptr %to, i64 %at) nounwind {
entry:
  %many = call i64 @get(ptr %P, i64 %at)
  %things.at = add i64 %at, 1
  %names.at = add i64 %things.at, %many
  %end = add i64 %names.at, %many
  %things = call ptr @place(ptr %P, i64 %things.at)
  %names = call ptr @place(ptr %P, i64 %names.at)
  %order.at = call i64 @get(ptr %P, i64 $ORDER)
  %order = call ptr @place(ptr %P, i64 %order.at)
  %bytes = shl i64 %many, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %order, ptr %names, i64 %bytes, i1 false)
  call void @shuffle(ptr %M, ptr %order, i64 %many)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %thing = call i64 @get(ptr %things, i64 %i)
  %name = call i64 @get(ptr %order, i64 %i)
  call void @put(ptr %to, i64 %thing, i64 %name)
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %end
}
; Writes the names of its things to a slot; returns the place behind it. A holder is its form, word, words, how many, things.
define internal i64 @hold(ptr %S, ptr %P, ptr %to, i64 %at) nounwind {
entry:
  %form = call i64 @get(ptr %P, i64 %at)
  %p1 = add i64 %at, 1
  %word = call i64 @get(ptr %P, i64 %p1)
  %p2 = add i64 %at, 2
  %words = call i64 @get(ptr %P, i64 %p2)
  %p3 = add i64 %at, 3
  %many = call i64 @get(ptr %P, i64 %p3)
  %things.at = add i64 %at, 4
  %end = add i64 %things.at, %many
  %things = call ptr @place(ptr %P, i64 %things.at)
  %slot = call ptr @place(ptr %S, i64 %word)
  %bytes = shl i64 %words, 3
  call void @llvm.memset.p0.i64(ptr %slot, i8 0, i64 %bytes, i1 false)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %add ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %thing = call i64 @get(ptr %things, i64 %i)
  %name = call i64 @get(ptr %to, i64 %thing)
  %i1 = add i64 %i, 1
  switch i64 %form, label %value [ i64 $MASK, label %mask i64 $PILE, label %pile ]
value:
  br label %add
mask:
  %mask.word = lshr i64 %name, 6
  %bit.at = and i64 %name, 63
  %bit = shl i64 1, %bit.at
  br label %add
pile:
  %first = mul i64 %i, $ITEM
  %pile.word = lshr i64 %first, 6
  %item.at = and i64 %first, 63
  %item = add i64 %name, 1
  %shifted = shl i64 %item, %item.at
  br label %add
add:
  %to.word = phi i64 [ 0, %value ], [ %mask.word, %mask ], [ %pile.word, %pile ]
  %more = phi i64 [ %name, %value ], [ %bit, %mask ], [ %shifted, %pile ]
  %held = call i64 @get(ptr %slot, i64 %to.word)
  %all = or i64 %held, %more
  call void @put(ptr %slot, i64 %to.word, i64 %all)
  br label %again
out:
  ret i64 %end
}
; Deals the things of a kind and writes where they lie; returns the place behind it. A kind is how many things it has, their
; names, those that they have before a deal, blocks, holders, and what moves with a name: a slot, a thing, a value.
define internal i64 @deal_kind(ptr %S, ptr %M, ptr %P, i64 %at) nounwind {
entry:
  %many = call i64 @get(ptr %P, i64 %at)
  %to.at = add i64 %at, 1
  %to = call ptr @place(ptr %P, i64 %to.at)
  %own.at = add i64 %to.at, %many
  %own = call ptr @place(ptr %P, i64 %own.at)
  %bytes = shl i64 %many, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %own, i64 %bytes, i1 false)
  %blocks.at = add i64 %own.at, %many
  %blocks = call i64 @get(ptr %P, i64 %blocks.at)
  %block0 = add i64 %blocks.at, 1
  br label %block
block:
  %b = phi i64 [ 0, %entry ], [ %b1, %block.one ]
  %block.at = phi i64 [ %block0, %entry ], [ %block1, %block.one ]
  %block.left = icmp slt i64 %b, %blocks
  br i1 %block.left, label %block.one, label %holders
block.one:
  %block1 = call i64 @name_block(ptr %M, ptr %P, ptr %to, i64 %block.at)
  %b1 = add i64 %b, 1
  br label %block
holders:
  %held = call i64 @get(ptr %P, i64 %block.at)
  %holder0 = add i64 %block.at, 1
  br label %holder
holder:
  %h = phi i64 [ 0, %holders ], [ %h1, %holder.one ]
  %holder.at = phi i64 [ %holder0, %holders ], [ %holder1, %holder.one ]
  %holder.left = icmp slt i64 %h, %held
  br i1 %holder.left, label %holder.one, label %owned
holder.one:
  %holder1 = call i64 @hold(ptr %S, ptr %P, ptr %to, i64 %holder.at)
  %h1 = add i64 %h, 1
  br label %holder
owned:
  %values = call i64 @get(ptr %P, i64 %holder.at)
  %value0 = add i64 %holder.at, 1
  br label %move
move:
  %v = phi i64 [ 0, %owned ], [ %v1, %move.one ]
  %value.at = phi i64 [ %value0, %owned ], [ %value1, %move.one ]
  %value.left = icmp slt i64 %v, %values
  br i1 %value.left, label %move.one, label %out
move.one:
  %slot = call i64 @get(ptr %P, i64 %value.at)
  %q1 = add i64 %value.at, 1
  %thing = call i64 @get(ptr %P, i64 %q1)
  %q2 = add i64 %value.at, 2
  %value = call i64 @get(ptr %P, i64 %q2)
  %name = call i64 @get(ptr %to, i64 %thing)
  %there = add i64 %slot, %name
  call void @put(ptr %S, i64 %there, i64 %value)
  %v1 = add i64 %v, 1
  %value1 = add i64 %value.at, 3
  br label %move
out:
  ret i64 %value.at
}
; Gives a hidden variable one of its values; returns the place behind it. A cell is its slot, how many values, values.
define internal i64 @deal_cell(ptr %S, ptr %M, ptr %P, i64 %at) nounwind {
  %slot = call i64 @get(ptr %P, i64 %at)
  %many.at = add i64 %at, 1
  %many = call i64 @get(ptr %P, i64 %many.at)
  %values.at = add i64 %at, 2
  %picked = call i64 @below(ptr %M, i64 %many)
  %value.at = add i64 %values.at, %picked
  %value = call i64 @get(ptr %P, i64 %value.at)
  call void @put(ptr %S, i64 %slot, i64 %value)
  %end = add i64 %values.at, %many
  ret i64 %end
}
; Whether two answers are the same: what is behind the last of their words does not count.
define internal i1 @is_same(ptr %P, ptr %a, ptr %b) nounwind {
entry:
  %branch = load i64, ptr %a
  %lengths.at = call i64 @get(ptr %P, i64 $LENGTHS)
  %length.at = add i64 %lengths.at, %branch
  %length = call i64 @get(ptr %P, i64 %length.at)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %left = icmp slt i64 %i, %length
  br i1 %left, label %look, label %yes
look:
  %u = call i64 @get(ptr %a, i64 %i)
  %v = call i64 @get(ptr %b, i64 %i)
  %same = icmp eq i64 %u, %v
  br i1 %same, label %next, label %no
next:
  %i1 = add i64 %i, 1
  br label %again
yes:
  ret i1 true
no:
  ret i1 false
}
; The number of the listed option that is an answer; -1 if none is.
define internal i64 @found(ptr %M, ptr %P, ptr %answer, i64 %many) nounwind {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %look, label %no
look:
  %option = call ptr @listed(ptr %M, i64 %i)
  %same = call i1 @is_same(ptr %P, ptr %option, ptr %answer)
  br i1 %same, label %yes, label %next
next:
  %i1 = add i64 %i, 1
  br label %again
yes:
  ret i64 %i
no:
  ret i64 -1
}
; Repeats an answer under seal, or gives any one for another seat; whether that went well. It is written to the plan: the seat,
; whether it is the dealing seat's own, and the answer.
define internal i1 @answer_again(ptr %S, ptr %M, ptr %P, ptr %sealed) nounwind {
entry:
  %asked = call i64 @get(ptr %S, i64 $QUESTION)
  %question = call i64 @get(ptr %P, i64 $ASKED)
  %same = icmp eq i64 %asked, %question
  br i1 %same, label %list, label %no
list:
  %seat = call i64 @get(ptr %sealed, i64 0)
  %many = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %some = icmp ne i64 %many, 0
  br i1 %some, label %which, label %no
which:
  %answer = call ptr @place(ptr %sealed, i64 2)
  %own = call i64 @get(ptr %sealed, i64 1)
  %is.own = icmp ne i64 %own, 0
  br i1 %is.own, label %again, label %any
again:
  %there = call i64 @found(ptr %M, ptr %P, ptr %answer, i64 %many)
  br label %picked
any:
  %drawn = call i64 @below(ptr %M, i64 %many)
  br label %picked
picked:
  %number = phi i64 [ %there, %again ], [ %drawn, %any ]
  %is.there = icmp sge i64 %number, 0
  br i1 %is.there, label %take, label %no
take:
  %option = call ptr @listed(ptr %M, i64 %number)
  call void @copy_answer(ptr %answer, ptr %option)
  call void @give(ptr %M, ptr %answer)
  %went = call i1 @answered(ptr %S, ptr %M, i64 %seat)
  ret i1 %went
no:
  ret i1 false
}
; Whether the seat has the options that it has in truth, and each other that is asked has enough.
define internal i1 @fits(ptr %S, ptr %M, ptr %P) nounwind {
entry:
  %asked = call i64 @get(ptr %S, i64 $QUESTION)
  %question = call i64 @get(ptr %P, i64 $ASKED)
  %same = icmp eq i64 %asked, %question
  br i1 %same, label %own, label %no
own:
  %seat = call i64 @get(ptr %P, i64 $SEAT)
  %many = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %expected = call i64 @get(ptr %P, i64 $MANY)
  %as.many = icmp eq i64 %many, %expected
  %options.at = call i64 @get(ptr %P, i64 $OPTIONS)
  %options = call ptr @place(ptr %P, i64 %options.at)
  br i1 %as.many, label %compare, label %no
compare:
  %i = phi i64 [ 0, %own ], [ %i1, %next ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %look, label %others
look:
  %option = call ptr @listed(ptr %M, i64 %i)
  %n = mul i64 %i, $WIDTH
  %mine = getelementptr inbounds i64, ptr %options, i64 %n
  %is.same = call i1 @is_same(ptr %P, ptr %option, ptr %mine)
  br i1 %is.same, label %next, label %no
next:
  %i1 = add i64 %i, 1
  br label %compare
others:
  %others.many = call i64 @get(ptr %P, i64 $OTHERS_MANY)
  %others.at = call i64 @get(ptr %P, i64 $OTHERS)
  br label %other
other:
  %k = phi i64 [ 0, %others ], [ %k1, %enough ]
  %other.at = phi i64 [ %others.at, %others ], [ %other1, %enough ]
  %other.left = icmp slt i64 %k, %others.many
  br i1 %other.left, label %ask, label %yes
ask:
  %who = call i64 @get(ptr %P, i64 %other.at)
  %least.at = add i64 %other.at, 1
  %least = call i64 @get(ptr %P, i64 %least.at)
  %theirs = call i64 @offered(ptr %S, ptr %M, i64 %who)
  %is.enough = icmp sge i64 %theirs, %least
  br i1 %is.enough, label %enough, label %no
enough:
  %k1 = add i64 %k, 1
  %other1 = add i64 %other.at, 2
  br label %other
yes:
  ret i1 true
no:
  ret i1 false
}
define i64 @redeal(ptr %S, ptr %M, ptr %P) nounwind {
entry:
  call void @put(ptr %M, i64 $FLAG, i64 $NO_DICE)
  %kinds = call i64 @get(ptr %P, i64 $KINDS_MANY)
  %kind0 = call i64 @get(ptr %P, i64 $KINDS)
  br label %kind
kind:
  %k = phi i64 [ 0, %entry ], [ %k1, %kind.one ]
  %kind.at = phi i64 [ %kind0, %entry ], [ %kind1, %kind.one ]
  %kind.left = icmp slt i64 %k, %kinds
  br i1 %kind.left, label %kind.one, label %hidden
kind.one:
  %kind1 = call i64 @deal_kind(ptr %S, ptr %M, ptr %P, i64 %kind.at)
  %k1 = add i64 %k, 1
  br label %kind
hidden:
  %cells = call i64 @get(ptr %P, i64 $CELLS_MANY)
  %cell0 = call i64 @get(ptr %P, i64 $CELLS)
  br label %cell
cell:
  %c = phi i64 [ 0, %hidden ], [ %c1, %cell.one ]
  %cell.at = phi i64 [ %cell0, %hidden ], [ %cell1, %cell.one ]
  %cell.left = icmp slt i64 %c, %cells
  br i1 %cell.left, label %cell.one, label %dice
cell.one:
  %cell1 = call i64 @deal_cell(ptr %S, ptr %M, ptr %P, i64 %cell.at)
  %c1 = add i64 %c, 1
  br label %cell
dice:
  ; The number of the dice that follow takes two words, of which the second does not reach it.
  %w = call i64 @get(ptr %M, i64 $RNG)
  %w1 = add i64 %w, $STEP
  %drawn = call i64 @mixed(i64 %w1)
  %w2 = add i64 %w1, $STEP
  call void @put(ptr %M, i64 $RNG, i64 %w2)
  call void @put(ptr %P, i64 $DICE_WORD, i64 %drawn)
  %sealed = call i64 @get(ptr %P, i64 $SEALED_MANY)
  %sealed0 = call i64 @get(ptr %P, i64 $SEALED)
  %is.sealed = icmp ne i64 %sealed, 0
  br i1 %is.sealed, label %keep, label %answers
keep:
  %before.at = call i64 @get(ptr %P, i64 $BEFORE)
  %before = call ptr @place(ptr %P, i64 %before.at)
  call void @copy_row(ptr %before, ptr %S)
  br label %answers
answers:
  %a = phi i64 [ 0, %dice ], [ 0, %keep ], [ %a1, %answers.next ]
  %at = phi i64 [ %sealed0, %dice ], [ %sealed0, %keep ], [ %at1, %answers.next ]
  %left = icmp slt i64 %a, %sealed
  br i1 %left, label %answers.one, label %look
answers.one:
  %one = call ptr @place(ptr %P, i64 %at)
  %went = call i1 @answer_again(ptr %S, ptr %M, ptr %P, ptr %one)
  br i1 %went, label %answers.next, label %no
answers.next:
  %a1 = add i64 %a, 1
  %at1 = add i64 %at, $SEALED_WORDS
  br label %answers
look:
  %fits = call i1 @fits(ptr %S, ptr %M, ptr %P)
  br i1 %fits, label %yes, label %no
yes:
  ret i64 0
no:
  ret i64 1
}
