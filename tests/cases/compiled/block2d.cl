// 2D blocks as the OpenCL compiler makes them of its builtins: widths, heights and pitches less one, and the kernel's
// execution size. The surface is 64 words wide and 16 high and holds 64 * row + column.
// RUN: visor run %s --device pvc -k pairs -g 16 -a a=iota:u16:1024 c=zeros:i32:128 x=3 y=2 --print c:18
// OUT: c = 12779651 21168387 29557123 37945859 46334595 54723331 63112067 0 12845188 21233924 29622660 38011396 46400132 54788868 63177604 0 12910725 21299461
// RUN: visor run %s --device pvc -k two -g 16 -a a=iota:u16:1024 c=zeros:u16:256 x=40 y=9 --print c:256
// OUT: c = 616 617 618 619 620 621 622 623 624 625 626 627 628 629 630 631 680 681 682 683 684 685 686 687 688 689 690 691 692 693 694 695 744 745 746 747 748 749 750 751 752 753 754 755 756 757 758 759 808 809 810 811 812 813 814 815 816 817 818 819 820 821 822 823 872 873 874 875 876 877 878 879 880 881 882 883 884 885 886 887 936 937 938 939 940 941 942 943 944 945 946 947 948 949 950 951 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 632 633 634 635 636 637 638 639 0 0 0 0 0 0 0 0 696 697 698 699 700 701 702 703 0 0 0 0 0 0 0 0 760 761 762 763 764 765 766 767 0 0 0 0 0 0 0 0 824 825 826 827 828 829 830 831 0 0 0 0 0 0 0 0 888 889 890 891 892 893 894 895 0 0 0 0 0 0 0 0 952 953 954 955 956 957 958 959 0 0 0 0 0 0 0 0 1016 1017 1018 1019 1020 1021 1022 1023 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
int8 __builtin_IB_subgroup_block_read_flat_transform_u16_k16(long, int, int, int, int2);
ushort16 __builtin_IB_subgroup_block_read_flat_u16_m8k16v2(long, int, int, int, int2);

// Rows in pairs, as dpas wants them.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void pairs(global ushort* a, global int8* c, int x, int y) {
    c[get_sub_group_local_id()] =
        __builtin_IB_subgroup_block_read_flat_transform_u16_k16((long)a, 127, 15, 127, (int2)(x, y));
}

// Two blocks side by side; the second lies partly beyond the right edge, and both beyond the lower one.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void two(global ushort* a, global ushort* c, int x, int y) {
    ushort16 v = __builtin_IB_subgroup_block_read_flat_u16_m8k16v2((long)a, 127, 15, 127, (int2)(x, y));
    for (int i = 0; i < 16; i++)
        c[i * 16 + get_sub_group_local_id()] = v[i];
}
