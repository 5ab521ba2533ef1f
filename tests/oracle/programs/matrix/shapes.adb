--  Subprograms within subprograms, a generic that is instantiated twice, and checks that fail.
procedure Shapes is
   Sink : Integer := 5;
   pragma Volatile (Sink);

   generic
      type Number is range <>;
   function Biggest (A, B : Number) return Number;

   function Biggest (A, B : Number) return Number is
   begin
      return (if A > B then A else B);
   end Biggest;

   type Small is range -1000 .. 1000;
   function Biggest_Integer is new Biggest (Integer);
   function Biggest_Small is new Biggest (Small);

   function Clamp (Value, Limit : Integer) return Integer;
   pragma Inline_Always (Clamp);

   function Clamp (Value, Limit : Integer) return Integer is
   begin
      if Value < 0 then
         raise Constraint_Error;
      end if;
      return (if Value > Limit then Limit else Biggest_Integer (Value, Sink));
   end Clamp;

   function Area (Width, Height : Integer) return Integer is
      Total : Integer := 0;

      procedure Add (More : Integer) is
      begin
         Total := Total + Clamp (More, 100) + Clamp (More + Sink, 50);
      end Add;
      pragma Inline (Add);
   begin
      for I in 1 .. Height loop
         Add (Width + I);
      end loop;
      Add (Height);
      return Total;
   end Area;
   pragma No_Inline (Area);

   function Least (S : Small) return Small is (Biggest_Small (S, 3));
begin
   Sink := Area (Sink, 4) + Clamp (Sink, 3);
   Sink := Sink + Integer (Least (Small (Sink mod 1000)));
end Shapes;
