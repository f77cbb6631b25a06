// Inline assembly that the compiler refuses: its own words are the message.
// RUN: visor run %s --options -DBODY=nonsense -k k -g 16
// ERR: parsing vISA inline assembly failed
// ERR: syntax error
// ERR: does not build for skl
// EXIT: 1
// RUN: visor run %s --options -DBODY=lanes -k k -g 16
// ERR: parsing vISA inline assembly failed
// ERR: invalid execution size
// EXIT: 1
// RUN: visor run %s --options -DBODY=predicate -k k -g 16
// ERR: undefined predicate variable
// EXIT: 1
// RUN: visor run %s --options -DBODY=label -k k -g 16
// ERR: parsing vISA inline assembly failed
// EXIT: 1
// RUN: visor run %s --options -DBODY=device -k k -g 16
// ERR: does not build for skl
// EXIT: 1

#define nonsense "movi (M1, 16) t(0,0)<1> t(0,0)<1;1,0>"
#define lanes "mov (M1, 6) t(0,0)<1> t(0,0)<1;1,0>"
#define predicate "(P) mov (M1, 16) t(0,0)<1> t(0,0)<1;1,0>"
#define label "goto (M1, 16) nowhere"
#define device "dp4a (M1, 16) t(0,0)<1> t(0,0)<1;1,0> t(0,0)<1;1,0> t(0,0)<1;1,0>"

__attribute__((intel_reqd_sub_group_size(16)))
kernel void k() {
    __asm__ volatile("{\n"
                     ".decl t v_type=G type=d num_elts=16 align=GRF\n" BODY "\n"
                     "}");
}
