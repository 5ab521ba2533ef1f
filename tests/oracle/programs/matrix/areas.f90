! Procedures of a module, some within others, and an elemental function in an array expression.
module areas
  implicit none
  integer, volatile :: sink = 0
contains
  pure elemental integer function clamp(value, limit)
    integer, intent(in) :: value, limit
    clamp = min(max(value, 0), limit)
  end function clamp

  integer function scale(value, factor)
    integer, intent(in) :: value, factor
    integer :: i
    scale = 0
    do i = 1, factor
      scale = scale + ieor(clamp(value + i, 100), sink)
    end do
  end function scale

  integer function area(width, height)
    integer, intent(in) :: width, height
    area = clamp(scale(width, height), 1000) + clamp(width, 7) + clamp(height, 8)
  end function area

  subroutine outer(n)
    integer, intent(in) :: n
    integer :: items(4)
    items = clamp([n, n + 1, n + 2, n + 3], sink)
    call within(3)
    call within(sink)
  contains
    subroutine within(more)
      integer, intent(in) :: more
      sink = area(n, more) + sum(items)
    end subroutine within
  end subroutine outer
end module areas

program shapes
  use areas
  implicit none
  sink = 5
  call outer(sink)
  sink = area(sink, 3) + scale(sink, 4)
end program shapes
