#include "delassus/io.h"
#include "check.h"
#include <stdio.h>
int main(int c,char**v){ for(int i=1;i<c;i++){dls_scene*s;dls_error e;dls_model*m; dls_status st=dls_scene_read(v[i],&s,&e); if(!st){st=dls_model_create(s,&m,&e); if(!st){printf("%zu bodies %zu joints\n",s->n_bodies,s->n_joints);dls_model_destroy(m);}dls_scene_destroy(s);} if(st){char t[2000];dls_error_format(&e,t,sizeof t);puts(t);}} return 0;}
